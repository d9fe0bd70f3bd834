import type { Placeholders } from '#contract/translate/documents.ts'
import { listPlaceholders, splitPlaceholders } from './placeholders.ts'
import type { Piece } from './piece.ts'
import type { FixedNode, GroupNode, Node } from './nodes.ts'
import { escapeTags, matchTags, stripTags } from './tags.ts'
import type { TagTree } from './tags.ts'

/** A placeholder within words: the tag stands for `open`, or, around other text, for `open` and `close`. */
type PlaceholderTag = {
  kind: 'placeholder'
  open: string
  close?: string
  isArgument?: true | undefined
}
type Tagged = FixedNode | GroupNode | PlaceholderTag
/** Tags of a segment's text by their numbers. */
export type Tags = Map<number, Tagged>

/**
 * Writes nodes as a segment's text. Tags are numbered in the order in which they begin and noted in `tags`: nodes that are no text, and
 * the placeholders in texts, which may go across neighbours.
 */
export function writeSegment(nodes: readonly Node[], isMessage: boolean, tags: Tags): string {
  let out = ''
  let words = ''
  const endWords = (): void => {
    out += writePieces(splitPlaceholders(words, isMessage), tags)
    words = ''
  }
  for (const node of nodes) {
    if (node.kind === 'text') {
      words += node.text
      continue
    }
    endWords()
    const id = tags.size + 1
    tags.set(id, node)
    out += node.kind === 'fixed' ? `<${id}/>` : `<${id}>${writeSegment(node.inner, isMessage, tags)}</${id}>`
  }
  endWords()
  return out
}

function writePieces(pieces: Piece[], tags: Tags): string {
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return escapeTags(piece)
      const id = tags.size + 1
      if ('raw' in piece) {
        tags.set(id, { kind: 'placeholder', open: piece.raw })
        return `<${id}/>`
      }
      const { open, close, inner, isArgument } = piece
      tags.set(id, { kind: 'placeholder', open, close, isArgument })
      return `<${id}>${writePieces(inner, tags)}</${id}>`
    })
    .join('')
}

/** Returns the tree of a translation with the placeholders as words again. */
export function restorePlaceholders(tree: TagTree, tags: Tags): TagTree {
  const restored: TagTree = []
  const addText = (text: string): void => void restored.push(text)
  const addAll = (list: TagTree): void => {
    for (const each of list) {
      if (typeof each === 'string') {
        addText(each)
        continue
      }
      const tag = tags.get(each.id)
      if (tag?.kind !== 'placeholder') {
        const { id, children } = each
        restored.push(children ? { id, children: restorePlaceholders(children, tags) } : { id })
        continue
      }
      addText(tag.open)
      const children = each.children ?? []
      addAll(tag.isArgument ? sortBranches(children) : children)
      addText(tag.close ?? '')
    }
  }
  addAll(tree)
  return joinWords(restored)
}

/** Joins the words that stand beside each other. */
export function joinWords(tree: TagTree): TagTree {
  const joined: TagTree = []
  for (const each of tree) {
    const last = joined.at(-1)
    if (typeof each === 'string' && typeof last === 'string') joined.splice(-1, 1, last + each)
    else if (each) joined.push(each)
  }
  return joined
}

/** Between the branches of an argument stands nothing, and their order is the source's. */
const sortBranches = (list: TagTree): TagTree =>
  list.filter((each) => typeof each !== 'string').toSorted((a, b) => a.id - b.id)

/** Lists a segment's placeholders; nothing where it has none. */
export function toPlaceholders(tags: Tags): Placeholders | undefined {
  const placeholders: Placeholders = {}
  for (const [id, tag] of tags) {
    if (tag.kind === 'placeholder')
      placeholders[id] = tag.close === undefined ? [tag.open] : [tag.open, tag.close]
  }
  return Object.keys(placeholders).length ? placeholders : undefined
}

/**
 * Tells whether a translation has the placeholders of its source, each once and each within the same tag. Others that it
 * wrote itself count as well, also those in full width; tags of its own, which are only text, do not.
 */
export function hasPlaceholders(
  source: string,
  placeholders: Placeholders | null | undefined,
  translation: string,
): boolean {
  const { wrongIds } = matchTags(source, translation)
  if (placeholders && [...wrongIds].some((id) => id in placeholders)) return false
  const wanted = listPlaceholders(stripTags(source))
  const found = listPlaceholders(stripTags(translation)).filter(
    (each) => !/^[<&]/.test(each) || wanted.includes(each),
  )
  return wanted.join('\n') === found.join('\n')
}

/** Writes the placeholders of a segment's text, or of its translation, in the place of their tags. */
export function showPlaceholders(text: string, placeholders: Placeholders | null | undefined): string {
  if (!placeholders) return text
  return text.replace(/<(\/?)(\d{1,6})\/?>/g, (tag, slash: string, id: string) => {
    const [open, close = ''] = placeholders[Number(id)] ?? []
    return open === undefined ? tag : escapeTags(slash ? close : open)
  })
}
