/** A file name that every system accepts, `title.ext`, without characters that are special in paths and shells. */
export function toFileName(title: string, extension: string): string {
  const safe = title
    .replace(/[\p{Cc}"*/:<>?\\|]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[.\s]+|[.\s]+$/g, '')
  return `${Array.from(safe).slice(0, 60).join('') || 'wenqu'}.${extension}`
}
