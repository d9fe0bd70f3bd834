import type { Edit } from './edits.ts'
import type { FixedNode, GroupNode, Node, Range, Shell, TextNode } from './nodes.ts'
export type { FixedNode, GroupNode, Node, Range, Shell, TextNode } from './nodes.ts'
import { hasPlaceholders, joinWords, restorePlaceholders, toPlaceholders, writeSegment } from './segment.ts'
import type { Tags } from './segment.ts'
import { matchTags, stripTags } from './tags.ts'
import type { TagTree } from './tags.ts'

/** How a format writes text. */
export type Syntax = {
  /** Returns the replacement of `raw`, a text of the source with its element where it has one; `raw` is empty for a new text. */
  write(text: string, raw: string): string
  /** The texts are messages of a program, in which `:name` is a placeholder too. */
  isMessage?: true
}

/** The text of a file or of a part of it, in which ranges are replaced. */
export type Part = { source: string; syntax: Syntax }

/** A format's further options of a block. */
export type BlockOptions = {
  /** Syntax of the block where it differs from its part's. */
  syntax?: Syntax
  /** Place and markup of a translation beside its source; by default it follows the source. */
  beside?: { at: number; open: string; close: string }
  /**
   * Place of the translation in a file that has source and translation beside each other: it is replaced in both modes, with this markup
   * around it, and the source stays.
   */
  target?: Range & { open: string; close: string }
  /** Replacements that go with a translation, e.g. of its state. */
  also?: Edit[]
  /** Ranges that belong to the source alone, and have no place in a translation. */
  dropped?: Range[]
}

/** One text in its part: its nodes without the blank ones at its edges, and the white space there. */
export type Block = BlockOptions & { nodes: Node[]; text: string; tags: Tags; lead: string; trail: string }

const isBlank = (node: Node): boolean => node.kind === 'fixed' || (node.kind === 'text' && !node.text.trim())

/** A text that is only a link or an address is not translated. */
const ADDRESS = /^(?:(?:https?|ftp|mailto|tel):\S+|www\.\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)$/i

/** Tells whether a text has something to translate. */
export const isTranslatable = (text: string): boolean => /\p{L}/u.test(text) && !ADDRESS.test(text.trim())

/** Most texts have none. */
const NO_TAGS: Tags = new Map()

/** Creates a block of these nodes; returns nothing where they hold no text to translate. */
export function createBlock(nodes: Node[], options: BlockOptions = {}, isMessage = false): Block | undefined {
  let level = nodes
  // All of the source has a place in a target.
  while (!options.target) {
    const first = level.findIndex((node) => !isBlank(node))
    if (first < 0) return undefined
    level = level.slice(first, level.findLastIndex((node) => !isBlank(node)) + 1)
    const [only] = level
    if (level.length > 1 || only?.kind !== 'group') break
    level = only.inner
  }
  if (!isTranslatable(plainText(level))) return undefined
  const tags: Tags = new Map()
  const written = writeSegment(level, isMessage, tags)
  if (tags.size && !isTranslatable(stripTags(written, ' '))) return undefined
  const [, lead = '', text = '', trail = ''] = /^(\s*)(.*?)(\s*)$/s.exec(written) ?? []
  return { nodes: level, text, tags: tags.size ? tags : NO_TAGS, lead, trail, ...options }
}

export const plainText = (nodes: Node[]): string =>
  nodes
    .map((node) => (node.kind === 'text' ? node.text : node.kind === 'group' ? plainText(node.inner) : ' '))
    .join('')

const findShell = (nodes: Node[]): Shell | undefined => {
  for (const node of nodes) {
    const shell =
      node.kind === 'text' ? node.shell : node.kind === 'group' ? findShell(node.inner) : undefined
    if (shell) return shell
  }
  return undefined
}

/** Returns the shell of a level's own words, since its punctuation may have another, or else that of its first text. */
const getShell = (nodes: Node[]): Shell | undefined =>
  findShell(nodes.filter((node) => node.kind === 'text' && /[\p{L}\p{N}]/u.test(node.text))) ??
  findShell(nodes)

/** Collects the replacements that a translation of a block needs. Returns the problem with its tags; with its placeholders it has none. */
export function translateBlock(
  part: Part,
  block: Block,
  translation: string,
  isBilingual: boolean,
  edits: Edit[],
): 'placeholders' | 'tags' | undefined {
  const { text: source, tags, lead, trail, beside, target } = block
  if (!hasPlaceholders(source, toPlaceholders(tags), translation)) return 'placeholders'
  const { tree: taggedTree, isExact } = matchTags(source, translation.trim())
  const tree = restorePlaceholders(taggedTree, tags)
  const writing: Writing = { source: part.source, syntax: block.syntax ?? part.syntax, tags, edits }
  const dropped = (block.dropped ?? []).map(({ start, end }): Edit => ({ start, end, parts: [] }))
  if (target) {
    const { start, end, open, close } = target
    const text = copyLevel(writing, joinWords([lead, ...tree, trail]), block.nodes)
    edits.push({ start, end, parts: [open + text + close] }, ...dropped, ...(block.also ?? []))
  } else if (isBilingual) {
    const { at, open, close } = beside ?? { at: block.nodes.at(-1)?.end ?? 0, open: ' / ', close: '' }
    edits.push({ start: at, end: at, parts: [open + copyLevel(writing, tree, block.nodes) + close] })
  } else {
    fillLevel(writing, block.nodes, [lead, ...tree, trail])
    edits.push(...dropped)
  }
  return isExact ? undefined : 'tags'
}

/** Returns the words of a block's translation, with the white space around them and without tags. */
export function toWords({ text, tags, lead, trail }: Block, translation: string): string {
  const flatten = (tree: TagTree): string =>
    tree.map((each) => (typeof each === 'string' ? each : flatten(each.children ?? []))).join('')
  const { tree } = matchTags(text, translation.trim())
  return lead + flatten(restorePlaceholders(tree, tags)) + trail
}

type Writing = { source: string; syntax: Syntax; tags: Tags; edits: Edit[] }

type TagNode = FixedNode | GroupNode

const getNode = (tags: Tags, id: number): TagNode | undefined => {
  const tag = tags.get(id)
  return tag?.kind === 'placeholder' ? undefined : tag
}

/** Puts the translation's texts into the places of the source's, and the tags into the translation's order. */
function fillLevel(writing: Writing, nodes: Node[], tree: TagTree, outer?: Shell): void {
  const { edits } = writing
  const tags = nodes.filter((node) => node.kind !== 'text')
  const slots: TextNode[][] = [[]]
  for (const node of nodes) {
    if (node.kind === 'text') slots.at(-1)?.push(node)
    else slots.push([])
  }
  const texts = ['']
  const order: TagNode[] = []
  const shell = getShell(nodes) ?? outer
  for (const each of tree) {
    if (typeof each === 'string') {
      texts.push(`${texts.pop() ?? ''}${each}`)
      continue
    }
    const node = getNode(writing.tags, each.id)
    if (!node) continue
    order.push(node)
    texts.push('')
    if (node.kind === 'group') fillLevel(writing, node.inner, each.children ?? [], shell)
  }
  for (const [index, slot] of slots.entries()) {
    const text = texts[index] ?? ''
    if (slot.map((node) => node.text).join('') === text) continue
    const isOwn = (node: TextNode): boolean => node.shell?.key === shell?.key
    const target = slot.find((node) => isOwn(node) && node.text.trim()) ?? slot.find(isOwn)
    const [first] = slot
    if (first && (target || isPunctuation(slot, text))) fillSlot(writing, slot, target ?? first, text)
    else {
      // The place held only punctuation in a format of its own.
      fillSlot(writing, slot, undefined, '')
      insertText(writing, text, shell, tags[index - 1], first ?? tags[index])
    }
  }
  for (const [index, at] of tags.entries()) {
    const wantedTag = order[index]
    if (wantedTag && wantedTag !== at)
      edits.push({ start: at.start, end: at.end, parts: moveTag(wantedTag, at) })
  }
}

/** Tells whether punctuation replaces punctuation, which may keep a format of its own. */
const isPunctuation = (slot: TextNode[], text: string): boolean =>
  !/[\p{L}\p{N}]/u.test(text) && slot.some((node) => /[^\s\u200B]/.test(node.text))

function fillSlot(
  { source, syntax, edits }: Writing,
  slot: TextNode[],
  target: TextNode | undefined,
  text: string,
): void {
  for (const node of slot) {
    const newText = node === target ? text : ''
    if (newText === node.text) continue
    const { start, end } = node
    edits.push({ start, end, parts: [syntax.write(newText, source.slice(start, end))] })
  }
}

/** Returns the run within which a node stands. */
const shellOf = (node: Node | undefined): Shell | undefined =>
  node && node.kind !== 'group' ? node.shell : undefined

const writeNew = (syntax: Syntax, text: string, shell: Shell | undefined): string => {
  const markup = syntax.write(text, '')
  return shell ? shell.text[0] + markup + shell.text[1] : markup
}

function insertText(
  { syntax, edits }: Writing,
  text: string,
  shell: Shell | undefined,
  before: Node | undefined,
  after: Node | undefined,
): void {
  const at = after?.start ?? before?.end ?? 0
  const around = shellOf(after ?? before)
  const content = writeNew(syntax, text, shell)
  const run = shell ? shell.open + content + shell.close : content
  const isWithin = around && shell && around.key === shell.key
  edits.push({
    start: at,
    end: at,
    parts: [isWithin ? content : around ? around.close + run + around.open : run],
  })
}

/** Moves a tag: it leaves the run that it stands in, and interrupts the run into which it comes. */
function moveTag(tag: TagNode, at: TagNode): Edit['parts'] {
  const [from, into] = [shellOf(tag), shellOf(at)]
  if (from === into) return [tag]
  return [into?.close ?? '', from?.open ?? '', tag, from?.close ?? '', into?.open ?? '']
}

/** Writes a translation as a text of its own, beside the source. */
function copyLevel(writing: Writing, tree: TagTree, nodes: Node[], outer?: Shell): string {
  const shell = getShell(nodes) ?? outer
  return tree
    .map((each) => {
      if (typeof each === 'string') {
        const text = writeNew(writing.syntax, each, shell)
        return shell ? shell.open + text + shell.close : text
      }
      const node = getNode(writing.tags, each.id)
      if (node?.kind === 'group') {
        const inner = copyLevel(writing, each.children ?? [], node.inner, shell)
        return node.copy ? node.copy.open + inner + node.copy.close : inner
      }
      if (!node?.copied) return ''
      const raw = writing.source.slice(node.start, node.end)
      return node.shell ? node.shell.open + raw + node.shell.close : raw
    })
    .join('')
}
