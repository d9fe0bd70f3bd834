/** A tag in a text: a pair has children, a tag that stands alone has none. */
type Tag = { id: number; children?: TagTree }
export type TagTree = (string | Tag)[]

export const escapeTags = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&' }
export const unescapeTags = (text: string): string =>
  text.replace(/&(lt|gt|amp);/g, (_, name: string) => ENTITIES[name] ?? '')

/** Tags, also as some models write them: in full width, with spaces. */
const TAG = /[<＜]\s*([/／]?)\s*(\d{1,6})\s*([/／]?)\s*[>＞]/g

/** Place of a source's tag: the tag around it and the one before it in there, 0 for none; and whether it is a pair. */
type Shape = { parent: number; before: number; isPair: boolean }

function readShapes(source: string): Map<number, Shape> {
  const shapes = new Map<number, Shape>()
  const stack = [{ id: 0, last: 0 }]
  for (const [, slash, digits, single] of source.matchAll(TAG)) {
    const level = stack.at(-1)
    if (!level) break
    if (slash) stack.pop()
    else {
      const id = Number(digits)
      shapes.set(id, { parent: level.id, before: level.last, isPair: !single })
      level.last = id
      if (!single) stack.push({ id, last: 0 })
    }
  }
  return shapes
}

/**
 * Returns the tree of a translation with exactly the tags of its source, each within the same one as there; their order may
 * differ. A model's mistakes are mended; `isExact` is false where a tag had to be added, left out or moved, and `wrongIds` are the source's
 * tags of which that is so.
 */
export function matchTags(
  source: string,
  translation: string,
): { tree: TagTree; isExact: boolean; wrongIds: Set<number> } {
  const shapes = readShapes(source)
  const tree: TagTree = []
  const levels = new Map<number, TagTree>([[0, tree]])
  const foundIds = new Set<number>()
  const stack: { id: number; children: TagTree }[] = [{ id: 0, children: tree }]
  const wrongIds = new Set<number>()
  let isExact = true
  const markWrong = (id: number): void => {
    isExact = false
    if (shapes.has(id)) wrongIds.add(id)
  }
  const top = (): { id: number; children: TagTree } => stack.at(-1) ?? { id: 0, children: tree }
  const addText = (raw: string): void => {
    const { children } = top()
    const before = children.at(-1)
    if (typeof before === 'string') children.splice(-1, 1, before + unescapeTags(raw))
    else if (raw) children.push(unescapeTags(raw))
  }
  const close = (id: number): void => {
    const at = stack.findLastIndex((open) => open.id === id)
    if (at < 1) return
    for (const open of stack.splice(at).slice(1)) markWrong(open.id)
  }
  let at = 0
  for (const match of translation.matchAll(TAG)) {
    const [whole, slash = '', digits = '', single = ''] = match
    const id = Number(digits)
    const shape = shapes.get(id)
    // A text that the model did not escape may look like a tag.
    if (!shape && source.includes(`&lt;${slash}${digits}${single}>`)) continue
    addText(translation.slice(at, match.index))
    at = match.index + whole.length
    const isOpen = stack.some((open) => open.id === id)
    if (!shape) markWrong(id)
    else if (slash || isOpen) close(id)
    // A repeated tag, or one within another than in the source, is dropped, and its content stays.
    else if (foundIds.has(id) || top().id !== shape.parent) markWrong(id)
    else {
      const children: TagTree = []
      foundIds.add(id)
      top().children.push(shape.isPair ? { id, children } : { id })
      if (!shape.isPair) continue
      levels.set(id, children)
      if (single) markWrong(id)
      else stack.push({ id, children })
    }
  }
  addText(translation.slice(at))
  for (const { id } of stack.slice(1)) markWrong(id)
  for (const [id, { parent, before, isPair }] of shapes) {
    if (foundIds.has(id)) continue
    markWrong(id)
    const level = levels.get(parent) ?? []
    const children: TagTree = []
    if (isPair) levels.set(id, children)
    const previous = level.findIndex((each) => typeof each !== 'string' && each.id === before)
    level.splice(previous < 0 ? level.length : previous + 1, 0, isPair ? { id, children } : { id })
  }
  return { tree, isExact, wrongIds }
}

/** Returns the text with `mark`, by default nothing, in the place of each tag. */
export const stripTags = (text: string, mark = ''): string => unescapeTags(text.replace(TAG, mark))
