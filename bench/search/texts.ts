/** Made-up Chinese: words of one to three characters, few of them often and most of them rarely, as in real texts. */
export function textMaker() {
  let seed = 7
  const random = (): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed / 2 ** 32
  }
  // Frequencies fall with the rank (Zipf): a power of a uniform number is near enough.
  const rank = (most: number): number => Math.floor(most * random() ** 3)
  const character = (): string => String.fromCharCode(0x5000 + rank(3_500))
  const words = Array.from({ length: 20_000 }, (_, nth) =>
    Array.from({ length: nth % 5 ? 2 : (nth % 3) + 1 }, character).join(''),
  )
  const textOf = (chars: number): string => {
    let text = ''
    while (text.length < chars) text += words[rank(words.length)]! + (random() < 0.12 ? '，' : '')
    return text
  }
  return { textOf, commonWord: words[1]!, commonCharacter: words[1]![0]! }
}
