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

/** Offset of the value at `path`, or of its nearest ancestor where a member of it is missing. */
function findOffset(text: string, path: readonly PropertyKey[]): number {
  let at = skipSpace(text, 0)
  for (const key of path) {
    const memberOffset = typeof key === 'symbol' ? null : findMember(text, at, key)
    if (memberOffset === null) break
    at = memberOffset
  }
  return at
}

/**
 * The line (from 1) on which the value at `path` stands in `text`, which must be valid JSON. A path that leads nowhere
 * (a field that is missing) gives the line of its nearest ancestor.
 */
export const findLine = (text: string, path: readonly PropertyKey[]): number =>
  text.slice(0, findOffset(text, path)).split('\n').length

const MAX_LINE = 110

/** Formats JSON as this project's formatter does: lists of plain values on one line where they fit. */
function format(value: unknown, indent: string, start = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const entries = Object.entries(value)
  if (!entries.length) return Array.isArray(value) ? '[]' : '{}'
  if (!Array.isArray(value)) {
    const members = entries.map(([key, member]) => {
      const label = `${inner}${JSON.stringify(key)}: `
      return label + format(member, inner, label.length)
    })
    return `{\n${members.join(',\n')}\n${indent}}`
  }
  const items = value.map((item) => format(item, inner))
  const line = `[${items.join(', ')}]`
  const isPlain = value.every((item) => typeof item !== 'object' || item === null)
  if (isPlain && start + line.length < MAX_LINE) return line
  return `[\n${items.map((item) => inner + item).join(',\n')}\n${indent}]`
}

/** The spaces at the beginning of the line of an offset. */
const getIndent = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1, at))![0]

/**
 * Returns the text (valid JSON) with `value` at `path`, and no other byte changed. A missing member is added after `after`, or as
 * the last one.
 */
export function setValue(text: string, path: readonly Key[], value: unknown, after?: string): string {
  const parent = findOffset(text, path.slice(0, -1))
  const key = path.at(-1)!
  const at = findMember(text, parent, key)
  if (at !== null)
    return text.slice(0, at) + format(value, getIndent(text, at)) + text.slice(skipValue(text, at))
  const keys = Object.keys(JSON.parse(text.slice(parent, skipValue(text, parent))) as object)
  const previous = findMember(
    text,
    parent,
    after !== undefined && keys.includes(after) ? after : keys.at(-1)!,
  )!
  const first = skipSpace(text, parent + 1)
  const isOneLine = !text.slice(parent, first).includes('\n')
  const indent = getIndent(text, first)
  const end = skipValue(text, previous)
  const member = `${JSON.stringify(key)}: ${format(value, indent)}`
  return `${text.slice(0, end)},${isOneLine ? ' ' : `\n${indent}`}${member}${text.slice(end)}`
}

/** Returns the text with one more item at `index` (from 1) of the list at `path`, which must not be empty. */
export function insertItem(text: string, path: readonly Key[], index: number, value: unknown): string {
  const previous = findOffset(text, [...path, index - 1])
  const indent = getIndent(text, previous)
  const end = skipValue(text, previous)
  return `${text.slice(0, end)},\n${indent}${format(value, indent)}${text.slice(end)}`
}
