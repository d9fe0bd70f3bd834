type TextPart = { text: string; hit: boolean; at: number }

/** A text in parts: those that are one of the words that were sought, and those between. `at` is where a part begins. */
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
