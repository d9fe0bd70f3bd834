/** Marks of Markdown that a voice should not read. */
const markdownSigns = /```[^\n]*|[*_~`#>|]+|!?\[([^\]\n]*)\]\([^)\n]*\)|\[\^[^\]\s]+\]:?|^\s*[-+]\s/gm

/**
 * What of a growing answer may be read aloud by now, behind its first `from` characters: whole paragraphs only, so that
 * it is not read letter by letter. Returns the words and how far they go.
 */
export function nextAnnouncement(
  text: string,
  from: number,
  isComplete: boolean,
): { words: string; to: number } {
  const to = isComplete ? text.length : Math.max(from, text.lastIndexOf('\n\n'))
  const words = text
    .slice(from, to)
    .replace(markdownSigns, (_, label: string | undefined) => label ?? ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return { words, to }
}
