/** A name that every system takes: `title.ext`, without what paths and shells read otherwise. */
export function toFileName(title: string, extension: string): string {
  const safe = title
    .replace(/[\p{Cc}"*/:<>?\\|]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[.\s]+|[.\s]+$/g, '')
  return `${Array.from(safe).slice(0, 60).join('') || 'wenqu'}.${extension}`
}
