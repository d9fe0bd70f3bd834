import { type Block, type Blocks, updateBlocks } from './syntax/blocks.ts'
import type { Source } from './syntax/citations.ts'
import { parseLanguage } from './syntax/codeHtml.ts'
import { type CodeView, createCodeView, showNestedCode, takeNestedCode } from './code/codeView.ts'
import { getHighlighterVersion } from './code/highlighter.ts'
import { getFormulasVersion } from './formulas.ts'
import { emptyContext, type DocumentContext } from './references.ts'
import { isInlineBounded } from './syntax/boundedLexer.ts'
import { completeBlock, hasOpenFence } from './syntax/incompleteBlock.ts'
import { parseFootnoteName, orderFootnotes } from './syntax/footnotes.ts'
import { arrangeParts, createPartSkipping, splitIntoParts } from './parts.ts'
import { renderBlock } from './renderBlock.ts'
import { syncNodes } from './syncNodes.ts'

/** A block in the page, and its source. */
type BlockView = { block: Block; last: boolean; node: HTMLElement; code?: CodeView; source?: string }

/**
 * Shows a text in the page. `streaming`: more is to come, so unfinished syntax at its end is shown as if complete. `sources` are
 * those that it cites; `hidesCitations`: numbers of other sources are not shown.
 */
export type ShowMarkdown = (
  text: string,
  streaming: boolean,
  sources?: readonly Source[],
  hidesCitations?: boolean,
) => void

/**
 * Creates a view of an answer inside `place`, updated without React: an update touches only the growing block, and costs the same
 * however many blocks stand above it.
 */
export function createMarkdownView(place: HTMLElement): ShowMarkdown {
  let parsed: Blocks | undefined
  let views: BlockView[] = []
  let [context, key] = [emptyContext, '']
  let caret: Element | undefined
  const skipParts = createPartSkipping(place)

  return (text, streaming, sources = emptyContext.sources, hidesCitations = false) => {
    parsed = updateBlocks(parsed, text)
    const before = key
    context = {
      defs: getDefinitions(parsed.blocks),
      notes: getFootnoteOrder(parsed.blocks),
      sources,
      hidesCitations,
    }
    const [marks, loaded] = [JSON.stringify(context), `${getFormulasVersion()} ${getHighlighterVersion()}`]
    key = `${marks} ${loaded}`
    const growingBlock = streaming ? parsed.blocks.at(-1) : undefined
    const shownBlocks = arrangeBlocks(parsed.blocks, context.notes)
    caret?.removeAttribute('data-caret')
    views = shownBlocks.map((block, i) => {
      const last = block === growingBlock
      const current = views[i]
      if (current && key === before && current.block === block && current.last === last) return current
      return block.code === null
        ? updateHtml(block, last, context, marks, current)
        : updateCode(block, last, current)
    })
    arrangeParts(
      place,
      views.map(({ node }) => node),
      splitIntoParts(shownBlocks),
    )
    skipParts(streaming)
    caret = streaming ? findCaretPlace(views.at(-1)?.node) : undefined
    caret?.setAttribute('data-caret', '')
  }
}

/** Returns the element in which the next word of a growing block will stand: the block's last line of text. */
function findCaretPlace(block: HTMLElement | undefined): Element | undefined {
  if (block?.classList.contains('md-code')) return block.querySelector('code') ?? undefined
  let place = block?.lastElementChild
  while (place?.matches('ul, ol, li, blockquote') && place.lastElementChild?.matches('ul, ol, li, p'))
    place = place.lastElementChild
  return place?.matches('p, h1, h2, h3, h4, li') ? place : undefined
}

/** Every block with a bracket is parsed together with the link definitions, and depends on the footnotes. */
const MAX_DEFINITIONS = 100
const MAX_NOTES = 200

/** Returns the link definitions among the blocks, as Markdown. */
const getDefinitions = (blocks: readonly Block[]): string =>
  blocks
    .filter((block) => block.type === 'def')
    .slice(0, MAX_DEFINITIONS)
    .map((block) => block.raw.trim())
    .join('\n')

/** Returns the names of the footnotes in the order of their numbers. */
function getFootnoteOrder(blocks: readonly Block[]): readonly string[] {
  const defined = blocks
    .filter(({ type }) => type === 'footnote')
    .slice(0, MAX_NOTES)
    .map(({ raw }) => parseFootnoteName(raw))
  if (!defined.length) return emptyContext.notes
  const texts = blocks.filter(({ code, type }) => code === null && type !== 'footnote')
  return orderFootnotes(
    texts.map(({ raw }) => raw),
    defined,
  )
}

/** Returns the blocks as shown: link definitions are hidden, footnotes come last. */
function arrangeBlocks(blocks: readonly Block[], order: readonly string[]): Block[] {
  const shownBlocks = blocks.filter(({ type }) => type !== 'def' && type !== 'footnote')
  if (!order.length) return shownBlocks
  const below = blocks.filter(({ type }) => type === 'footnote')
  const place = (block: Block) => order.indexOf(parseFootnoteName(block.raw))
  return [...shownBlocks, ...below.sort((a, b) => place(a) - place(b))]
}

function updateCode(block: Block, last: boolean, current: BlockView | undefined): BlockView {
  const lang = parseLanguage(block.lang)
  const code = current?.code?.lang === lang ? current.code : createCodeView(lang)
  code.show(block.code ?? '', last && hasOpenFence(block.raw))
  return { block, last, node: code.node, code }
}

/** `contextKey` is `context` as a text; a block with a bracket depends on it. */
function updateHtml(
  block: Block,
  last: boolean,
  context: DocumentContext,
  contextKey: string,
  current: BlockView | undefined,
): BlockView {
  const markdown = last && isInlineBounded(block.raw) ? completeBlock(block) : block.raw
  const bracket = /[[【［]/.test(block.raw)
  // A block without formulas need not be rendered again when KaTeX arrives.
  const source = `${/[$\\]/.test(markdown) && getFormulasVersion()} ${bracket ? contextKey : ''}\n\n${markdown}`
  const node = current && !current.code ? current.node : document.createElement('div')
  const className = block.type === 'footnote' ? 'md-block md-footnote' : 'md-block'
  if (node.className !== className) node.className = className
  if (current?.source !== source)
    syncNodes(node, renderBlock(markdown, bracket ? context : emptyContext), takeNestedCode)
  showNestedCode(node, last)
  return { block, last, node, source }
}
