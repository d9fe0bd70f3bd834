import { openPlain } from '../plain/rewrite.ts'
import type { Node, Syntax } from '../rewriting/blocks.ts'
import type { Opened } from '../rewriting/draft.ts'
import { findDrawing, MARK, parseDialogue } from './ass.ts'
import type { Dialogue } from './ass.ts'

/** Braces would begin overrides, which have no escape that every player knows. */
const syntax: Syntax = {
  write: (text) =>
    text
      .replace(/\s*[\r\n]+\s*/g, '\\N')
      .replaceAll('{', '｛')
      .replaceAll('}', '｝'),
}

/** Opens SSA and ASS: the texts of dialogue. Styles, times, comments, overrides, breaks and drawings are the same bytes. */
export const openAss = (bytes: Buffer): Opened =>
  openPlain(bytes, 'ass', syntax, (part, draft) => {
    for (const dialogue of parseDialogue(part.source)) {
      const { start_ms, end_ms, end } = dialogue
      const beside = { at: end, open: '\\N', close: '' }
      draft.add(part, readText(part.source, dialogue), { start_ms, end_ms }, { beside })
    }
  })

function readText(source: string, { start, end }: Dialogue): Node[] {
  const nodes: Node[] = []
  let isDrawing = false
  let at = start
  const addText = (to: number): void => {
    if (to <= at) return
    const range = { start: at, end: to }
    nodes.push(
      isDrawing ? { kind: 'fixed', ...range } : { kind: 'text', ...range, text: source.slice(at, to) },
    )
  }
  for (const { 0: mark, index } of source.slice(start, end).matchAll(MARK)) {
    addText(start + index)
    at = start + index + mark.length
    nodes.push({ kind: 'fixed', start: start + index, end: at, copied: mark.startsWith('\\') })
    isDrawing = findDrawing(mark) ?? isDrawing
  }
  addText(end)
  return nodes
}
