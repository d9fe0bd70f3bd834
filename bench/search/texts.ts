/** Generates made-up Chinese: words of one to three characters, few of them often and most of them rarely, as in real texts. */
export function createTextGenerator() {
  let seed = 7
  const random = (): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed / 2 ** 32
  }
  // Frequencies fall with the rank (Zipf): a power of a uniform number is near enough.
  const pickRank = (max: number): number => Math.floor(max * random() ** 3)
  const character = (): string => String.fromCharCode(0x5000 + pickRank(3_500))
  const words = Array.from({ length: 20_000 }, (_, index) =>
    Array.from({ length: index % 5 ? 2 : (index % 3) + 1 }, character).join(''),
  )
  const generateText = (chars: number): string => {
    let text = ''
    while (text.length < chars) text += words[pickRank(words.length)]! + (random() < 0.12 ? '，' : '')
    return text
  }
  return { textOf: generateText, commonWord: words[1]!, commonCharacter: words[1]![0]! }
}
