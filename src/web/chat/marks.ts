type Part = { text: string; hit: boolean; at: number }

/** A text in parts: those that are one of the words that were sought, and those between. `at` is where a part begins. */
export function marked(text: string, keywords: string): Part[] {
  const words = keywords.split(/\s+/).filter(Boolean)
  if (!words.length) return [{ text, hit: false, at: 0 }]
  const any = words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    .join('|')
  let at = 0
  return text
    .split(new RegExp(`(${any})`, 'giu'))
    .map((part, nth) => {
      const here = { text: part, hit: nth % 2 === 1, at }
      at += part.length
      return here
    })
    .filter((part) => part.text)
}
