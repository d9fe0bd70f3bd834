/**
 * A passage of an agent's source, by its position in the index and the hash of its text when it was cited. `answer` is the text
 * before the number that cites it.
 */
export type PassageRef = { agent: string; block: string; chunk: number; hash?: string; answer?: string }

/** Reads a link to a passage (`/chat/agent/{uuid}?block=…&chunk=…&hash=…`); null for any other link. */
export function parsePassageLink(href: string): PassageRef | null {
  const { pathname, searchParams } = new URL(href, 'http://localhost')
  const [, agent] = /^\/chat\/agent\/([0-9a-f-]{36})$/.exec(pathname) ?? []
  const block = searchParams.get('block')
  const chunk = Number(searchParams.get('chunk') ?? Number.NaN)
  const hash = searchParams.get('hash')
  if (!agent || !block || !Number.isInteger(chunk)) return null
  return { agent, block, chunk, ...(hash ? { hash } : {}) }
}

/** The text of the paragraph before a citation, without other citations' numbers; empty for any other link. */
export function readCitingText(link: Element): string {
  const paragraph = link.matches('.md-cite') ? link.closest('p, li, td, th, .md') : null
  if (!paragraph) return ''
  const range = document.createRange()
  range.setStart(paragraph, 0)
  range.setEndBefore(link)
  const before = range.cloneContents()
  for (const citation of before.querySelectorAll('.md-cite')) citation.remove()
  return before.textContent
}
