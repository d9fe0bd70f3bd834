import { type Block, type Blocks, grow } from './blocks.ts'
import type { Source } from './citations.ts'
import { languageOf } from './codeHtml.ts'
import { type CodeView, codeView } from './codeView.ts'
import { coloursVersion } from './colours.ts'
import { formulasReady } from './formulas.ts'
import { nothingAround, type Surroundings } from './marks.ts'
import { mend, openFence } from './mend.ts'
import { noteName, noteOrder } from './notes.ts'
import { blockNodes } from './render.ts'
import { sync } from './sync.ts'

/** A block as it stands in the page, and what it was made of. */
type Shown = { block: Block; last: boolean; node: HTMLElement; code?: CodeView; source?: string }

/**
 * Shows a text in the page. `streaming`: more is to come, so what is unfinished at its end is shown as if complete.
 * `sources` are what it cites.
 */
export type Show = (text: string, streaming: boolean, sources?: readonly Source[]) => void

/**
 * An answer inside `place`, by hand instead of by React: an update goes to the one block that grows, and costs the
 * same however many stand above it.
 */
export function markdownView(place: HTMLElement): Show {
  let grown: Blocks | undefined
  let shown: Shown[] = []
  let [around, key] = [nothingAround, '']

  return (text, streaming, sources = nothingAround.sources) => {
    grown = grow(grown, text)
    const before = key
    around = { defs: definitions(grown.blocks), notes: notes(grown.blocks), sources }
    const [marks, loaded] = [JSON.stringify(around), `${formulasReady()} ${coloursVersion()}`]
    key = `${marks} ${loaded}`
    const growing = streaming ? grown.blocks.at(-1) : undefined
    shown = arranged(grown.blocks, around.notes).map((block, i) => {
      const last = block === growing
      const now = shown[i]
      if (now && key === before && now.block === block && now.last === last) return now
      const next =
        block.code === null ? showHtml(block, last, around, marks, now) : showCode(block, last, now)
      if (!now) place.append(next.node)
      else if (now.node !== next.node) now.node.replaceWith(next.node)
      return next
    })
    while (place.childNodes.length > shown.length) place.lastChild?.remove()
  }
}

/** The link definitions among the blocks, as markdown. */
const definitions = (blocks: readonly Block[]): string =>
  blocks
    .filter((block) => block.type === 'def')
    .map((block) => block.raw.trim())
    .join('\n')

/** The names of the footnotes in the order of their numbers. */
function notes(blocks: readonly Block[]): readonly string[] {
  const defined = blocks.filter(({ type }) => type === 'footnote').map(({ raw }) => noteName(raw))
  if (!defined.length) return nothingAround.notes
  const texts = blocks.filter(({ code, type }) => code === null && type !== 'footnote')
  return noteOrder(
    texts.map(({ raw }) => raw),
    defined,
  )
}

/** The blocks as they stand in the page: link definitions are not shown, footnotes are below all else. */
function arranged(blocks: readonly Block[], order: readonly string[]): Block[] {
  const shown = blocks.filter(({ type }) => type !== 'def' && type !== 'footnote')
  if (!order.length) return shown
  const below = blocks.filter(({ type }) => type === 'footnote')
  const place = (block: Block) => order.indexOf(noteName(block.raw))
  return [...shown, ...below.sort((a, b) => place(a) - place(b))]
}

function showCode(block: Block, last: boolean, now: Shown | undefined): Shown {
  const lang = languageOf(block.lang)
  const code = now?.code?.lang === lang ? now.code : codeView(lang)
  code.show(block.code ?? '', last && openFence(block.raw))
  return { block, last, node: code.node, code }
}

/** `marks` is `around` as a text: what a block with a bracket in it was made with. */
function showHtml(
  block: Block,
  last: boolean,
  around: Surroundings,
  marks: string,
  now: Shown | undefined,
): Shown {
  const markdown = last ? mend(block) : block.raw
  const bracket = block.raw.includes('[')
  // A block without formulas takes no part in the change when KaTeX arrives.
  const source = `${/[$\\]/.test(markdown) && formulasReady()} ${bracket ? marks : ''}\n\n${markdown}`
  const node = now && !now.code ? now.node : blockPlace()
  if (now?.source !== source) sync(node, blockNodes(markdown, bracket ? around : nothingAround))
  return { block, last, node, source }
}

function blockPlace(): HTMLElement {
  const node = document.createElement('div')
  node.className = 'md-block'
  return node
}
