/** Markdown syntax that a voice should not read. */
const markdownSigns = /```[^\n]*|[*_~`#>|]+|!?\[([^\]\n]*)\]\([^)\n]*\)|\[\^[^\]\s]+\]:?|^\s*[-+]\s/gm

/**
 * Returns the text of a growing answer behind its first `from` characters that may already be read aloud, and where it ends. Only
 * whole paragraphs count, so that the answer is not read letter by letter.
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
