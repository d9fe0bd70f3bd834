import { readingText } from '../../text/reading.ts'
import type { Picture } from './diagram.ts'

export type Drawn = Picture | { refused: string }

const cache = new Map<string, Drawn>()
const CACHE_SIZE = 100
const pending = new Set<Promise<void>>()
let watching = false

/** Every diagram that was begun is drawn, or was given up. */
export const diagramsSettled = async (): Promise<void> => {
  while (pending.size) await Promise.allSettled(pending)
}

/** Draws a closed mermaid block in its own place; where that fails the code stays, with a short note. */
export function showDiagram(node: HTMLElement, code: string): void {
  if (node.dataset.drawn === code) return
  node.dataset.drawn = code
  watchTheme()
  // Not before the block stands where it belongs: a sheet of paper is never dark.
  const drawing = Promise.resolve().then(() => begin(node, code))
  pending.add(drawing)
  void drawing.finally(() => pending.delete(drawing))
}

async function begin(node: HTMLElement, code: string): Promise<void> {
  const dark = !node.closest('[data-sheet]') && document.documentElement.classList.contains('dark')
  const key = `${dark ? 'd' : 'l'}${code}`
  const known = cache.get(key)
  if (known) return put(node, known)
  const drawn = await draw(code, dark)
  if (cache.size >= CACHE_SIZE) cache.clear()
  if (!('refused' in drawn) || drawn.refused !== readingText.diagramFailed) cache.set(key, drawn)
  put(node, drawn)
}

async function draw(code: string, dark: boolean): Promise<Drawn> {
  try {
    const diagram = await import('./diagram.ts')
    return await diagram.draw(code, dark)
  } catch {
    return { refused: readingText.diagramFailed }
  }
}

function put(node: HTMLElement, drawn: Drawn): void {
  const place = document.createElement('div')
  node.querySelector('.md-diagram')?.remove()
  place.className = 'md-diagram'
  if ('refused' in drawn) {
    place.classList.add('md-diagram-note')
    place.textContent = drawn.refused
  } else {
    place.append(imageOf(drawn))
    node.classList.add('md-drawn')
    addSwitch(node)
  }
  node.querySelector('.md-code-head')?.after(place)
}

function imageOf({ src, width, height }: Picture): HTMLImageElement {
  const image = new Image(width, height)
  // As an image a diagram can neither run anything nor load anything, whatever its text has made of it.
  image.src = src
  image.alt = readingText.diagram
  return image
}

/** The button between picture and source (clicks.ts). */
function addSwitch(node: HTMLElement): void {
  if (node.querySelector('.md-source')) return
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'md-source'
  button.ariaPressed = 'false'
  button.textContent = readingText.source
  node.querySelector('.md-wrap')?.before(button)
}

/** What stands in the page is drawn again in the colours of the other theme. */
function watchTheme(): void {
  if (watching) return
  watching = true
  let dark = document.documentElement.classList.contains('dark')
  new MutationObserver(() => {
    if (dark === document.documentElement.classList.contains('dark')) return
    dark = !dark
    for (const node of document.querySelectorAll<HTMLElement>('.md-code[data-drawn]'))
      void begin(node, node.dataset.drawn ?? '')
  }).observe(document.documentElement, { attributeFilter: ['class'] })
}
