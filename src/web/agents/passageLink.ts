/** A passage of an agent's source, by its place in the index. */
export type PassageRef = { agent: string; block: string; chunk: number }

/** The passage that a link of an answer leads to (`/chat/agent/{uuid}?block=…&chunk=…`); null for every other link. */
export function parsePassageLink(href: string): PassageRef | null {
  const { pathname, searchParams } = new URL(href, 'http://localhost')
  const [, agent] = /^\/chat\/agent\/([0-9a-f-]{36})$/.exec(pathname) ?? []
  const block = searchParams.get('block')
  const chunk = Number(searchParams.get('chunk') ?? Number.NaN)
  return agent && block && Number.isInteger(chunk) ? { agent, block, chunk } : null
}
