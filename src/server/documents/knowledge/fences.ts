/** A fenced code block among the lines of a Markdown text. */
export type Fence = {
  /** Index of its opening line, and of the line behind its last one. */
  from: number
  end: number
  /** Characters of the opening line before the fence: marks of lists and quotations, and blanks. */
  prefix: string
  /** The opening fence. */
  mark: string
  /** An open one runs to the end of what it stands in. */
  isClosed: boolean
}

/** A quotation, or an item of a list whose content begins behind so many columns of blanks. */
type Container = { type: 'quote' } | { type: 'item'; columns: number }

const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/
const QUOTE = /^ {0,3}> ?/
const ITEM = /^( {0,3}(?:[-*+]|\d{1,9}[.)]))( +|$)/
/** Deeper containers are taken for text. */
const MAX_DEPTH = 20
/** Behind a mark of a list, more blanks than these belong to code that is indented. */
const MAX_MARK_BLANKS = 4

/**
 * Finds the fenced code blocks of a Markdown text in their order, in lists and quotations too (CommonMark 0.31, sections 4.5, 5.1
 * and 5.2).
 */
export function findFences(lines: readonly string[]): Fence[] {
  const fences: Fence[] = []
  let containers: Container[] = []
  let open: Fence | null = null
  for (const [at, line] of lines.entries()) {
    const text = expandTabs(line)
    const inside = enterContainers(text, containers)
    if (open) {
      const isInside = inside.depth === containers.length
      if (isInside && !isClosing(inside.rest, open.mark)) continue
      open.end = isInside ? at + 1 : at
      open.isClosed = isInside
      open = null
      if (isInside) continue
    }
    containers = containers.slice(0, inside.depth)
    const rest = openContainers(inside.rest, containers)
    const [, , mark] = FENCE.exec(rest) ?? []
    if (!mark) continue
    const prefix = line.slice(0, line.indexOf(mark))
    open = { from: at, end: lines.length, prefix, mark, isClosed: false }
    fences.push(open)
  }
  return fences
}

/** Tells whether a line, without the marks of what it stands in, closes a code block. */
function isClosing(line: string, opening: string): boolean {
  const [, , mark = ''] = FENCE.exec(line) ?? []
  return mark.startsWith(opening) && line.trim() === mark
}

/** Replaces the tabs that a line begins with, perhaps behind marks, by blanks up to the next multiple of four. */
function expandTabs(line: string): string {
  if (!line.includes('\t')) return line
  let text = ''
  for (const [at, character] of Array.from(line).entries()) {
    if (character === '\t') text += ' '.repeat(4 - (text.length % 4))
    else if (/[\s>*+\-\d.)]/.test(character)) text += character
    else return text + Array.from(line).slice(at).join('')
  }
  return text
}

/** Goes into the containers that are open as far as a line continues them; returns the rest of the line. */
function enterContainers(line: string, containers: readonly Container[]): { depth: number; rest: string } {
  let rest = line
  let depth = 0
  for (const container of containers) {
    if (container.type === 'quote') {
      const [mark] = QUOTE.exec(rest) ?? []
      if (mark === undefined) break
      rest = rest.slice(mark.length)
    } else if (rest.startsWith(' '.repeat(container.columns))) rest = rest.slice(container.columns)
    else if (rest.trim()) break
    depth++
  }
  return { depth, rest }
}

/** Adds the containers that begin with a line; returns the rest of the line. */
function openContainers(line: string, containers: Container[]): string {
  let rest = line
  while (containers.length < MAX_DEPTH) {
    const [quote] = QUOTE.exec(rest) ?? []
    const [item, mark = '', blanks = ''] = (quote === undefined && ITEM.exec(rest)) || []
    if (quote !== undefined) {
      containers.push({ type: 'quote' })
      rest = rest.slice(quote.length)
    } else if (item !== undefined) {
      const width = blanks.length > MAX_MARK_BLANKS || item === rest ? 1 : blanks.length
      containers.push({ type: 'item', columns: mark.length + width })
      rest = rest.slice(mark.length + width)
    } else break
  }
  return rest
}
