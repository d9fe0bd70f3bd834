type TextPart = { text: string; hit: boolean; at: number }

/** Splits a text into parts that are one of the searched words, and those between. `at` is the offset of a part. */
export function splitMatches(text: string, keywords: string): TextPart[] {
  const words = keywords.split(/\s+/).filter(Boolean)
  if (!words.length) return [{ text, hit: false, at: 0 }]
  const pattern = words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    .join('|')
  let at = 0
  return text
    .split(new RegExp(`(${pattern})`, 'giu'))
    .map((part, index) => {
      const textPart = { text: part, hit: index % 2 === 1, at }
      at += part.length
      return textPart
    })
    .filter((part) => part.text)
}
