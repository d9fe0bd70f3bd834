import { markdownText } from '#web/text/markdown.ts'
import { renderCodeHtml } from '../syntax/codeHtml.ts'
import { highlightCode, getHighlighterVersion } from './highlighter.ts'
import { showDiagram } from '../diagrams/showDiagram.ts'
import { trimPartialFence } from '../syntax/incompleteBlock.ts'

/** A top-level code block in the page. `open`: its closing fence has not arrived. */
export type CodeView = { node: HTMLElement; lang: string; show: (code: string, open: boolean) => void }

/** Characters below which an open block is coloured anew with every update. */
const SMALL_CHARS = 300
/** A block of at least this many lines is folded, unless it was seen growing. */
const LONG_LINES = 60

export function createCodeView(lang: string): CodeView {
  const template = document.createElement('template')
  template.innerHTML = renderCodeHtml('', lang)
  return attachCodeView(template.content.firstElementChild as HTMLElement, lang)
}

/**
 * Gives a code block (codeHtml.ts) its colours, and a diagram its picture. While code grows, its new end stays plain: colouring
 * all of it at each update would cost more and more, so that waits until an eighth has been added.
 */
function attachCodeView(node: HTMLElement, lang: string): CodeView {
  const highlighted = document.createElement('span')
  const rest = document.createTextNode('')
  node.querySelector('code')?.replaceChildren(highlighted, rest)
  let [chars, version] = [-1, -1]
  // A block that a person has been reading must not fold up before their eyes.
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

const nestedViews = new WeakMap<Element, CodeView & { code: string }>()

/** Takes over the code of another block if both have the same language, so that the existing block keeps its state. */
export function takeNestedCode(node: Node, next: Node): boolean {
  const view = node instanceof HTMLElement ? nestedViews.get(node) : undefined
  const code = next instanceof HTMLElement && next.matches('.md-code') ? next.querySelector('code') : null
  if (!view || !code || (code.dataset.lang ?? '') !== view.lang) return false
  view.code = code.textContent
  return true
}

/** Shows code blocks nested in another block like top-level ones. `growing`: the last one may still get more text. */
export function showNestedCode(block: HTMLElement, growing: boolean): void {
  const nodes = block.querySelectorAll<HTMLElement>('.md-code')
  for (const [i, node] of nodes.entries()) {
    const code = node.querySelector('code')
    if (!code) continue
    let view = nestedViews.get(node)
    if (!view) {
      const text = code.textContent
      view = { ...attachCodeView(node, code.dataset.lang ?? ''), code: text }
      nestedViews.set(node, view)
    }
    const isLast =
      growing && i === nodes.length - 1 && block.textContent.trimEnd().endsWith(view.code.trimEnd())
    view.show(view.code, isLast)
  }
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
