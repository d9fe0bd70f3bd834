import { waitForDiagrams } from './diagrams/showDiagram.ts'
import { waitForFormulas } from './formulas.ts'
import { createRandom, generateDocument } from './hostileDocuments.ts'
import { createMarkdownView } from './markdownView.ts'
import { updateBlocks } from './syntax/blocks.ts'
import './markdown.css'

/**
 * How long the page was blocked by a document, milliseconds: to cut it into blocks, by the slowest of its blocks (complete or
 * streaming), by all of it at once, and by its diagrams, which are drawn after the text is shown.
 */
type Timing = { seed: number; cut: number; block: number; document: number; diagram: number }

/** Shows a text, which stays in the page, and returns how long it took to render and to lay out, milliseconds. */
function show(place: HTMLElement, text: string, streaming: boolean): number {
  place.replaceChildren()
  const start = performance.now()
  createMarkdownView(place)(text, streaming)
  place.getBoundingClientRect()
  return performance.now() - start
}

async function measure(seed: number): Promise<Timing> {
  const text = generateDocument(createRandom(seed))
  const place = document.createElement('div')
  place.className = 'md'
  document.body.append(place)
  const start = performance.now()
  const { blocks } = updateBlocks(undefined, text)
  const cutMs = performance.now() - start
  const times = blocks.map(({ raw }) => Math.max(show(place, raw, true), show(place, raw, false)))
  const whole = show(place, text, false)
  const before = performance.now()
  await waitForDiagrams()
  const diagram = place.querySelector('.md-diagram') ? performance.now() - before : 0
  place.remove()
  return { seed, cut: cutMs, block: Math.max(0, ...times), document: whole, diagram }
}

/** Shows and measures the documents of these seeds one after the other, for bench/markdown-fuzz.ts. */
export async function measureAll(seeds: number[]): Promise<Timing[]> {
  show(document.createElement('div'), '$x$ $\\ce{H2O}$', false)
  await waitForFormulas()
  const timings: Timing[] = []
  for (const seed of seeds) {
    // Logged before the measurement, so that a seed that never ends can be named.
    console.log(seed)
    timings.push(await measure(seed))
  }
  return timings
}
