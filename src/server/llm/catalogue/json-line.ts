const SPACE = /\s/
type Key = string | number

function skipString(text: string, at: number): number {
  let end = at + 1
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end + 1
}

function skipSpace(text: string, at: number): number {
  let end = at
  while (end < text.length && SPACE.test(text[end] ?? '')) end += 1
  return end
}

function skipValue(text: string, at: number): number {
  if (text[at] === '"') return skipString(text, at)
  if (text[at] !== '{' && text[at] !== '[') {
    let end = at
    while (end < text.length && !/[\s,\]}]/.test(text[end] ?? '')) end += 1
    return end
  }
  let depth = 0
  let end = at
  do {
    const char = text[end]
    if (char === '"') {
      end = skipString(text, end)
      continue
    }
    if (char === '{' || char === '[') depth += 1
    if (char === '}' || char === ']') depth -= 1
    end += 1
  } while (depth > 0 && end < text.length)
  return end
}

/** Offset of the member `key` of the object or array that starts at `at`; null when it has none. */
function findMember(text: string, at: number, key: Key): number | null {
  const array = text[at] === '['
  if (!array && text[at] !== '{') return null
  let next = skipSpace(text, at + 1)
  for (let index = 0; next < text.length && text[next] !== ']' && text[next] !== '}'; index += 1) {
    let label: Key = index
    if (!array) {
      const end = skipString(text, next)
      label = String(JSON.parse(text.slice(next, end)))
      next = skipSpace(text, skipSpace(text, end) + 1)
    }
    if (label === key) return next
    next = skipSpace(text, skipValue(text, next))
    if (text[next] === ',') next = skipSpace(text, next + 1)
  }
  return null
}

/**
 * The line (from 1) on which the value at `path` stands in `text`, which must be valid JSON. A path that leads nowhere
 * (a field that is missing) gives the line of its nearest ancestor.
 */
export function findLine(text: string, path: readonly PropertyKey[]): number {
  let at = skipSpace(text, 0)
  for (const key of path) {
    const found = typeof key === 'symbol' ? null : findMember(text, at, key)
    if (found === null) break
    at = found
  }
  return text.slice(0, at).split('\n').length
}
