import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import type { JSONPath, Node } from 'jsonc-parser'

/** Returns the node at `path`, or of its nearest ancestor where a member of it is missing. */
function findNearest(root: Node, path: JSONPath): Node {
  return findNodeAtLocation(root, path) ?? findNearest(root, path.slice(0, -1))
}

/**
 * The line (from 1) on which the value at `path` stands in `text`, which must be valid JSON. A path that leads nowhere
 * (a field that is missing) gives the line of its nearest ancestor.
 */
export const findLine = (text: string, path: readonly PropertyKey[]): number =>
  text.slice(0, findNearest(parseTree(text)!, path.map(toSegment)).offset).split('\n').length

const toSegment = (key: PropertyKey): string | number => (typeof key === 'number' ? key : String(key))

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
export function setValue(text: string, path: JSONPath, value: unknown, after?: string): string {
  const root = parseTree(text)!
  const node = findNodeAtLocation(root, path)
  if (node) {
    const end = node.offset + node.length
    return text.slice(0, node.offset) + format(value, getIndent(text, node.offset)) + text.slice(end)
  }
  const parent = findNodeAtLocation(root, path.slice(0, -1))!
  const members = parent.children!
  const previous = members.find(({ children }) => children?.[0]?.value === after) ?? members.at(-1)!
  const first = members[0]!.offset
  const isOneLine = !text.slice(parent.offset, first).includes('\n')
  const indent = getIndent(text, first)
  const member = `${JSON.stringify(path.at(-1))}: ${format(value, indent)}`
  return insertBehind(text, previous, `,${isOneLine ? ' ' : `\n${indent}`}${member}`)
}

/** Returns the text with one more item at `index` (from 1) of the list at `path`, which must not be empty. */
export function insertItem(text: string, path: JSONPath, index: number, value: unknown): string {
  const previous = findNodeAtLocation(parseTree(text)!, [...path, index - 1])!
  const indent = getIndent(text, previous.offset)
  return insertBehind(text, previous, `,\n${indent}${format(value, indent)}`)
}

const insertBehind = (text: string, { offset, length }: Node, added: string): string =>
  text.slice(0, offset + length) + added + text.slice(offset + length)
