import type { Node, Range } from '../rewriting/blocks.ts'

/**
 * Context of a paragraph's text: the names of links that are defined elsewhere, and a callback for texts beside it, those of
 * pictures and the titles of links.
 */
export type InlineContext = { definitions: Set<string>; onShown: (range: Range) => void }

type Frame = { mark: string; start: number; open: number; inner: Node[] }

const TOKEN =
  /\\[!-/:-@[-`{-~]|(`+)(?!`)[\s\S]*?[^`]\1(?!`)|\$\$[\s\S]+?\$\$|\$(?=\S)[^$\n]*[^$\s\\]\$(?!\d)|!?\[|<(?:https?:|mailto:)[^\s<>]+>|<[^\s<>@]+@[^\s<>]+>|<!--[\s\S]*?-->|<(\/?)([a-z][\w-]*)(?:\s[^<>]*)?\/?>|https?:\/\/[^\s<>()[\]"'，。；）】]+|(?: {2,}|\\)?[ \t]*(?:\r\n|\r|\n)[ \t]*(?:>[ \t]?)*[ \t]*|\*{1,3}|_{1,3}|~~|==/gi
const VOID = /^(br|img|hr|input|wbr)$/i

/** Reads the nodes of a stretch of Markdown within a block. Marks without a partner are text, as are escapes. */
export function readInline(source: string, { start, end }: Range, context: InlineContext): Node[] {
  const nodes: Node[] = []
  const frames: Frame[] = []
  const level = (): Node[] => frames.at(-1)?.inner ?? nodes
  let at = start
  const addText = (to: number): void => {
    if (to > at) level().push({ kind: 'text', start: at, end: to, text: source.slice(at, to) })
    at = Math.max(at, to)
  }
  const addFixed = (from: number, to: number, copied = true): void => {
    addText(from)
    level().push({ kind: 'fixed', start: from, end: to, copied })
    at = to
  }
  /** Dissolves frames that were never closed: their marks are text, their tags stay where they are. */
  const flatten = (from: number): void => {
    for (const frame of frames.splice(from)) {
      const { start, open: end } = frame
      const text = source.slice(start, end)
      level().push(
        frame.mark.startsWith('<') ? { kind: 'fixed', start, end } : { kind: 'text', start, end, text },
      )
      level().push(...frame.inner)
    }
  }
  const open = (mark: string, from: number, to: number): void => {
    addText(from)
    frames.push({ mark, start: from, open: to, inner: [] })
    at = to
  }
  const close = (index: number, from: number, to: number): void => {
    addText(from)
    flatten(index + 1)
    const frame = frames.pop()
    if (!frame) return
    const copy = { open: source.slice(frame.start, frame.open), close: source.slice(from, to) }
    level().push({ kind: 'group', start: frame.start, end: to, inner: frame.inner, copy })
    at = to
  }
  const pattern = new RegExp(TOKEN)
  for (;;) {
    pattern.lastIndex = at
    const match = nextMatch(pattern, source, at, end)
    if (!match) break
    const [token] = match
    const from = match.index
    const to = from + token.length
    const name = match[3]
    if (token.startsWith('\\') && !/[\r\n]/.test(token)) addText(to)
    else if (token === '[' || token === '![') {
      const link = readLink(source, from, end, context.definitions)
      if (link && link !== 'kept' && link.title) context.onShown(link.title)
      if (!link) addText(to)
      else if (link === 'kept') addFixed(from, findBracket(source, from + token.length, end) + 1)
      else if (token === '![') {
        context.onShown({ start: from + 2, end: link.text })
        addFixed(from, link.end, false)
      } else {
        addText(from)
        const inner = readInline(source, { start: from + 1, end: link.text }, context)
        const copy = { open: '[', close: source.slice(link.text, link.end) }
        level().push({ kind: 'group', start: from, end: link.end, inner, copy })
        at = link.end
      }
    } else if (/[\r\n]/.test(token)) {
      addText(from)
      if (/^( {2,}|\\)/.test(token)) addFixed(from, to)
      else level().push({ kind: 'text', start: from, end: to, text: ' ' })
      at = to
    } else if (name && !VOID.test(name) && !token.endsWith('/>')) {
      const mark = `<${name.toLowerCase()}`
      const index = frames.findLastIndex((frame) => frame.mark === mark)
      if (!match[2]) open(mark, from, to)
      else if (index >= 0) close(index, from, to)
      else addFixed(from, to, false)
    } else if (/^[*_~=]/.test(token)) {
      const index = frames.findLastIndex((frame) => frame.mark === token)
      const [before = ' ', after = ' '] = [source[from - 1], source[to]]
      const isWithin = token.startsWith('_') && /\w/.test(before) && /\w/.test(after)
      if (index >= 0 && /\S/.test(before) && !isWithin) close(index, from, to)
      else if (/\S/.test(after) && !isWithin && to < end) open(token, from, to)
      else addText(to)
    } else addFixed(from, to)
  }
  addText(end)
  flatten(0)
  return nodes
}

function nextMatch(pattern: RegExp, source: string, from: number, end: number): RegExpExecArray | undefined {
  // Only within this stretch: a mark must not find its partner in another block.
  const slice = source.slice(from, end)
  pattern.lastIndex = 0
  const match = pattern.exec(slice)
  if (!match) return undefined
  match.index += from
  return match
}

/** Finds the `]` that closes the `[` before `from`, or returns -1. */
function findBracket(source: string, from: number, end: number): number {
  let depth = 1
  for (let at = from; at < end; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === '[') depth++
    else if (source[at] === ']' && --depth === 0) return at
  }
  return -1
}

const DESTINATION =
  /^\((?:\s*<[^<>\n]*>|(?:[^()\s]|\([^()\s]*\))*)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)/

/**
 * Reads a link or a picture: where its text ends and where it ends. Returns `kept` where its text is the name of its definition,
 * or the mark of a note.
 */
function readLink(
  source: string,
  start: number,
  end: number,
  definitions: Set<string>,
): { text: number; end: number; title?: Range } | 'kept' | undefined {
  const from = start + (source[start] === '!' ? 2 : 1)
  const text = findBracket(source, from, end)
  if (text < 0) return undefined
  const name = source.slice(from, text)
  const rest = source.slice(text + 1, end)
  const destination = DESTINATION.exec(rest)?.[0] ?? /^\[[^\]\n]+\]/.exec(rest)?.[0]
  const title = /\s["'(]([^"'()]+)["')]\s*\)$/d.exec(destination ?? '')?.indices?.[1]
  const after = text + 1
  if (destination)
    return {
      text,
      end: after + destination.length,
      ...(title ? { title: { start: after + title[0], end: after + title[1] } } : {}),
    }
  return name.startsWith('^') || definitions.has(name.trim().toLowerCase()) ? 'kept' : undefined
}
