/** A text as a quotation in Markdown. */
export const toBlockquote = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => (line.trim() ? `> ${line}` : '>'))
    .join('\n')
