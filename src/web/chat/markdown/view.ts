import { type Block, type Blocks, grow } from './blocks.ts'
import { languageOf } from './codeHtml.ts'
import { type CodeView, codeView } from './codeView.ts'
import { coloursVersion } from './colours.ts'
import { formulasReady } from './formulas.ts'
import { mend, openFence } from './mend.ts'
import { blockNodes } from './render.ts'
import { sync } from './sync.ts'

/** A block as it stands in the page, and what it was made of. */
type Shown = { block: Block; last: boolean; node: HTMLElement; code?: CodeView; source?: string }

/** Shows a text in the page. `streaming`: more is to come, so what is unfinished at its end is shown as if complete. */
export type Show = (text: string, streaming: boolean) => void

/**
 * An answer inside `place`, by hand instead of by React: an update goes to the one block that grows, and costs the
 * same however many stand above it.
 */
export function markdownView(place: HTMLElement): Show {
  let grown: Blocks | undefined
  let shown: Shown[] = []
  let [defs, loaded] = ['', '']

  return (text, streaming) => {
    grown = grow(grown, text)
    const before = { defs, loaded }
    defs = definitions(grown.blocks)
    loaded = `${formulasReady()} ${coloursVersion()}`
    const anew = defs !== before.defs || loaded !== before.loaded
    const blocks = grown.blocks.filter(({ type }) => type !== 'def')
    shown = blocks.map((block, i) => {
      const last = streaming && i === blocks.length - 1
      const now = shown[i]
      if (now && !anew && now.block === block && now.last === last) return now
      const next = block.code === null ? showHtml(block, last, defs, now) : showCode(block, last, now)
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

function showCode(block: Block, last: boolean, now: Shown | undefined): Shown {
  const lang = languageOf(block.lang)
  const code = now?.code?.lang === lang ? now.code : codeView(lang)
  code.show(block.code ?? '', last && openFence(block.raw))
  return { block, last, node: code.node, code }
}

function showHtml(block: Block, last: boolean, defs: string, now: Shown | undefined): Shown {
  const markdown = last ? mend(block) : block.raw
  const links = block.raw.includes('[') ? defs : ''
  // A block without formulas takes no part in the change when KaTeX arrives.
  const source = `${/[$\\]/.test(markdown) && formulasReady()} ${links}\n\n${markdown}`
  const node = now && !now.code ? now.node : blockPlace()
  if (now?.source !== source) sync(node, blockNodes(markdown, links))
  return { block, last, node, source }
}

function blockPlace(): HTMLElement {
  const node = document.createElement('div')
  node.className = 'md-block'
  return node
}
