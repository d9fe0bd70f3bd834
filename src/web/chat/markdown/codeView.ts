import { readingText } from '../../text/reading.ts'
import { codeHtml } from './codeHtml.ts'
import { colour, coloursVersion } from './colours.ts'
import { showDiagram } from './diagrams.ts'
import { mendCode } from './mend.ts'

/** A code block of its own in the page. `open`: its closing fence has not arrived. */
export type CodeView = { node: HTMLElement; lang: string; show: (code: string, open: boolean) => void }

/** Below this many characters an open block is coloured anew with every update. */
const SMALL = 300
/** From this many lines on, a block that was never seen growing is folded. */
const LONG_LINES = 60

/**
 * A code block with its language, its buttons (clicks.ts) and colours. While code grows, only its new end is plain:
 * colouring everything again at each update would cost more and more, so it waits until an eighth has been added.
 */
export function codeView(lang: string): CodeView {
  const template = document.createElement('template')
  template.innerHTML = codeHtml('', lang)
  const node = template.content.firstElementChild as HTMLElement
  const coloured = document.createElement('span')
  const rest = document.createTextNode('')
  node.querySelector('code')?.append(coloured, rest)
  let [chars, version] = [-1, -1]
  // What a person has been reading must not fold up in front of them.
  let growing = false

  const show = (text: string, open: boolean) => {
    growing ||= open
    const code = open ? mendCode(text) : text
    const enough =
      code.length === chars || (open && code.length > Math.max(chars, SMALL) && code.length < chars * 1.125)
    if (!enough || version !== coloursVersion()) {
      coloured.innerHTML = colour(code, lang)
      chars = code.length
      version = coloursVersion()
    }
    rest.data = code.slice(chars)
    if (open) return
    if (lang.toLowerCase() === 'mermaid') showDiagram(node, code)
    else if (!growing) fold(node, code)
  }
  return { node, lang, show }
}

/** Folds a long block once; its button unfolds it (clicks.ts). */
function fold(node: HTMLElement, code: string): void {
  const lines = code.split('\n').length
  if (lines < LONG_LINES || node.querySelector('.md-unfold')) return
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'md-unfold'
  button.dataset.lines = String(lines)
  button.ariaExpanded = 'false'
  button.textContent = readingText.unfold(lines)
  node.classList.add('md-folded')
  node.append(button)
}
