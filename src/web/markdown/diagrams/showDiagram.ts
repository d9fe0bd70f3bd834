import { markdownText } from '#web/text/markdown.ts'
import type { DiagramImage } from './drawDiagram.ts'

type DrawResult = DiagramImage | { refused: string }

const cache = new Map<string, DrawResult>()
const CACHE_SIZE = 100
const pending = new Set<Promise<void>>()
let isWatching = false

/** Resolves when every started diagram is drawn or has failed. */
export const waitForDiagrams = async (): Promise<void> => {
  while (pending.size) await Promise.allSettled(pending)
}

/** Draws a closed mermaid block in place. If that fails, the code stays, with a short note. */
export function showDiagram(node: HTMLElement, code: string): void {
  if (node.dataset.drawn === code) return
  node.dataset.drawn = code
  watchTheme()
  // Waits until the block is in its place in the page: on a printed sheet it is never drawn dark.
  const drawing = Promise.resolve().then(() => drawInto(node, code))
  pending.add(drawing)
  void drawing.finally(() => pending.delete(drawing))
}

async function drawInto(node: HTMLElement, code: string): Promise<void> {
  const dark = !node.closest('[data-sheet]') && document.documentElement.classList.contains('dark')
  const key = `${dark ? 'd' : 'l'}${code}`
  const cachedResult = cache.get(key)
  if (cachedResult) return placeDiagram(node, cachedResult)
  const result = await loadAndDraw(code, dark)
  if (cache.size >= CACHE_SIZE) cache.clear()
  if (!('refused' in result) || result.refused !== markdownText.diagramFailed) cache.set(key, result)
  // If the block has another text by now, that text brings a drawing of its own.
  if (node.dataset.drawn === code) placeDiagram(node, result)
}

async function loadAndDraw(code: string, dark: boolean): Promise<DrawResult> {
  try {
    const diagram = await import('./drawDiagram.ts')
    return await diagram.drawDiagram(code, dark)
  } catch {
    return { refused: markdownText.diagramFailed }
  }
}

function placeDiagram(node: HTMLElement, result: DrawResult): void {
  const place = document.createElement('div')
  node.querySelector('.md-diagram')?.remove()
  place.className = 'md-diagram'
  if ('refused' in result) {
    place.classList.add('md-diagram-note')
    place.textContent = result.refused
  } else {
    place.append(createImage(result))
    node.classList.add('md-drawn')
    addSourceToggle(node)
  }
  node.querySelector('.md-code-head')?.after(place)
}

function createImage({ src, width, height }: DiagramImage): HTMLImageElement {
  const image = new Image(width, height)
  // As an image, a diagram can neither run nor load anything, whatever its text contains.
  image.src = src
  image.alt = markdownText.diagram
  return image
}

/** Adds the button that switches between picture and source (clicks.ts). */
function addSourceToggle(node: HTMLElement): void {
  if (node.querySelector('.md-source')) return
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'md-source'
  button.ariaPressed = 'false'
  button.textContent = markdownText.source
  node.querySelector('.md-wrap')?.before(button)
}

/** Redraws the diagrams of the page when the theme changes. */
function watchTheme(): void {
  if (isWatching) return
  isWatching = true
  let dark = document.documentElement.classList.contains('dark')
  new MutationObserver(() => {
    if (dark === document.documentElement.classList.contains('dark')) return
    dark = !dark
    for (const node of document.querySelectorAll<HTMLElement>('.md-code[data-drawn]'))
      void drawInto(node, node.dataset.drawn ?? '')
  }).observe(document.documentElement, { attributeFilter: ['class'] })
}
