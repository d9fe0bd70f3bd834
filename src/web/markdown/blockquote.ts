/** Returns a text as a Markdown quotation. */
export const toBlockquote = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => (line.trim() ? `> ${line}` : '>'))
    .join('\n')
