/** A text as a quotation in Markdown. */
export const quoted = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => (line.trim() ? `> ${line}` : '>'))
    .join('\n')
