import { markdownText } from '#web/text/markdown.ts'
import { renderCodeHtml } from '../syntax/codeHtml.ts'
import { highlightCode, getHighlighterVersion } from './highlighter.ts'
import { showDiagram } from '../diagrams/showDiagram.ts'
import { trimPartialFence } from '../syntax/incompleteBlock.ts'

/** A code block of its own in the page. `open`: its closing fence has not arrived. */
export type CodeView = { node: HTMLElement; lang: string; show: (code: string, open: boolean) => void }

/** Below this many characters an open block is coloured anew with every update. */
const SMALL_CHARS = 300
/** From this many lines on, a block that was never seen growing is folded. */
const LONG_LINES = 60

/**
 * A code block with its language, its buttons (clicks.ts) and colours. While code grows, only its new end is plain:
 * colouring everything again at each update would cost more and more, so it waits until an eighth has been added.
 */
export function createCodeView(lang: string): CodeView {
  const template = document.createElement('template')
  template.innerHTML = renderCodeHtml('', lang)
  const node = template.content.firstElementChild as HTMLElement
  const highlighted = document.createElement('span')
  const rest = document.createTextNode('')
  node.querySelector('code')?.append(highlighted, rest)
  let [chars, version] = [-1, -1]
  // What a person has been reading must not fold up in front of them.
  let growing = false

  const show = (text: string, open: boolean) => {
    growing ||= open
    const code = open ? trimPartialFence(text) : text
    const isDue =
      code.length === chars ||
      (open && code.length > Math.max(chars, SMALL_CHARS) && code.length < chars * 1.125)
    if (!isDue || version !== getHighlighterVersion()) {
      highlighted.innerHTML = highlightCode(code, lang)
      chars = code.length
      version = getHighlighterVersion()
    }
    rest.data = code.slice(chars)
    if (open) return
    if (lang.toLowerCase() === 'mermaid') showDiagram(node, code)
    else if (!growing) foldCode(node, code)
  }
  return { node, lang, show }
}

/** Folds a long block once; its button unfolds it (clicks.ts). */
function foldCode(node: HTMLElement, code: string): void {
  const lines = code.split('\n').length
  if (lines < LONG_LINES || node.querySelector('.md-unfold')) return
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'md-unfold'
  button.dataset.lines = String(lines)
  button.ariaExpanded = 'false'
  button.textContent = markdownText.unfold(lines)
  node.classList.add('md-folded')
  node.append(button)
}
