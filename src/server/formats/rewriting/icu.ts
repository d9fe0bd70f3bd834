import type { Piece, PieceGroup } from './piece.ts'

const HEAD =
  /\{\s*[\p{L}\p{N}_.]{1,60}\s*,\s*(plural|select|selectordinal)\s*,(?:\s*offset\s*:\s*\d{1,9}(?=\s))?/uy
const BRANCH = /\s*(?:=\d{1,9}|[\p{L}\p{N}_-]{1,60})\s*\{/uy
const END = /\s*\}/y
/** Deepest nesting of arguments that a person writes. */
const MAX_DEPTH = 8

/**
 * Reads an argument with branches of ICU's MessageFormat at `start`, `{count, plural, one {# item} other {# items}}`: its keywords are
 * the marks of groups, the texts of its branches the content. Returns nothing for any other text.
 */
export function readIcuArgument(
  text: string,
  start: number,
  readBranch: (inner: string, isPlural: boolean) => Piece[],
): { end: number; group: PieceGroup } | undefined {
  HEAD.lastIndex = start
  const head = HEAD.exec(text)
  if (!head) return undefined
  const branches: PieceGroup[] = []
  let at = start + head[0].length
  for (;;) {
    BRANCH.lastIndex = at
    const branch = BRANCH.exec(text)
    if (!branch) break
    const from = at + branch[0].length
    const close = findClose(text, from)
    if (close < 0) return undefined
    const inner = readBranch(text.slice(from, close), head[1] !== 'select')
    branches.push({ open: branch[0], close: '}', inner })
    at = close + 1
  }
  END.lastIndex = at
  const [end] = END.exec(text) ?? []
  if (end === undefined || branches.length === 0) return undefined
  const group: PieceGroup = { open: head[0], close: end, inner: branches, isArgument: true }
  return { end: at + end.length, group }
}

/** Finds the brace that closes a branch. An apostrophe before a brace quotes it. Returns -1 where there is none. */
function findClose(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === "'" && /[{}]/.test(text[at + 1] ?? '')) {
      const quote = text.indexOf("'", at + 1)
      if (quote < 0) return -1
      at = quote
    } else if (character === '{') {
      if (++depth > MAX_DEPTH) return -1
    } else if (character === '}' && --depth === 0) return at
  }
  return -1
}
