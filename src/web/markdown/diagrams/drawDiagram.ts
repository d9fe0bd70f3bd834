import mermaid from 'mermaid'
import { markdownText } from '#web/text/markdown.ts'

/** A drawn diagram as the address of an image, with its size in CSS pixels. */
export type DiagramImage = { src: string; width: number; height: number }

const MAX_CHARS = 5_000
/** Of what a diagram is made of: lines, and what stands in one line between `;` or `&`. Some milliseconds each. */
const MAX_ITEMS = 60
/** Kinds of mermaid whose items take another time to be laid out. */
const MAX_ITEMS_OF_KIND: Partial<Record<string, number>> = {
  mindmap: 40,
  'flowchart-v2': 120,
  gantt: 120,
  gitGraph: 120,
  journey: 120,
  packet: 120,
  pie: 120,
  quadrantChart: 120,
  sankey: 120,
  sequence: 120,
  timeline: 120,
  xychart: 120,
}

/** What could make the drawing itself load something, or disguise it: images, styles from elsewhere, raw elements. */
const externalReference =
  /url\s*\(|@import|image-set|@\{[^}]*\b(?:img|icon)\b|<\s*\/?\s*(?:img|image|iframe|link|style|script|svg|object|embed|video|audio|use)\b|\\(?!n)/i

const light = { fill: '#f1efea', fill2: '#e6f1f8', line: '#8d887d', ink: '#1d1c1a', panel: '#ffffff' }
const dark: typeof light = {
  fill: '#2e2c29',
  fill2: '#16293a',
  line: '#a19d94',
  ink: '#eceae5',
  panel: '#181817',
}

const getThemeVariables = ({ fill, fill2, line, ink, panel }: typeof light) => ({
  background: panel,
  primaryColor: fill,
  primaryTextColor: ink,
  primaryBorderColor: line,
  secondaryColor: fill2,
  tertiaryColor: panel,
  lineColor: line,
  textColor: ink,
  noteBkgColor: fill2,
  noteTextColor: ink,
  noteBorderColor: line,
})

let last = 0
let queue: Promise<unknown> = Promise.resolve()

/** Draws one diagram after the other: mermaid has one configuration for all. `refused` says why there is no picture. */
export function drawDiagram(code: string, inDark: boolean): Promise<DiagramImage | { refused: string }> {
  const drawing = queue.then(() => renderDiagram(code, inDark))
  queue = drawing.catch(() => undefined)
  return drawing
}

async function renderDiagram(code: string, inDark: boolean): Promise<DiagramImage | { refused: string }> {
  if (externalReference.test(code)) return { refused: markdownText.diagramRefused }
  if (code.length > MAX_CHARS) return { refused: markdownText.diagramTooLarge }
  configure(inDark)
  // Not `display: none`: mermaid measures its text.
  const stage = document.createElement('div')
  stage.className = 'md-diagram-stage'
  stage.ariaHidden = 'true'
  document.body.append(stage)
  try {
    if (isTooLarge(code)) return { refused: markdownText.diagramTooLarge }
    const { svg } = await mermaid.render(`diagram-${++last}`, code, stage)
    return toDiagramImage(svg, stage)
  } catch {
    return { refused: markdownText.diagramBroken }
  } finally {
    stage.remove()
  }
}

/** Throws where mermaid does not know the kind. */
const isTooLarge = (code: string): boolean =>
  code.trim().split(/[\n;&][\s;&]*/).length > (MAX_ITEMS_OF_KIND[mermaid.detectType(code)] ?? MAX_ITEMS)

function configure(inDark: boolean): void {
  const own = {
    theme: 'base' as const,
    themeVariables: { darkMode: inDark, fontSize: '14px', ...getThemeVariables(inDark ? dark : light) },
    fontFamily: getComputedStyle(document.body).fontFamily,
    themeCSS: '',
    securityLevel: 'strict' as const,
    look: 'classic' as const,
    htmlLabels: false,
    startOnLoad: false,
    suppressErrorRendering: true,
    maxTextSize: MAX_CHARS,
    maxEdges: 120,
  }
  // A diagram may not change its own look by directives: styles are a way to load things.
  const secure = [
    'secure',
    'altFontFamily',
    'darkMode',
    'look',
    'layout',
    'dompurifyConfig',
    ...Object.keys(own),
  ]
  mermaid.initialize({ ...own, secure })
}

/** Space around a diagram, in CSS pixels. */
const MARGIN = 8

function toDiagramImage(svg: string, stage: HTMLElement): DiagramImage | { refused: string } {
  // Mermaid has removed everything from it that could run.
  stage.innerHTML = svg
  const drawing = stage.querySelector('svg')
  if (!drawing) return { refused: markdownText.diagramBroken }
  // Mermaid's own measure is taken before the labels have their places.
  const { x, y, width: drawnWidth, height: drawnHeight } = drawing.getBBox()
  const [width, height] = [Math.ceil(drawnWidth + 2 * MARGIN), Math.ceil(drawnHeight + 2 * MARGIN)]
  drawing.setAttribute('viewBox', [x - MARGIN, y - MARGIN, width, height].join(' '))
  drawing.setAttribute('width', String(width))
  drawing.setAttribute('height', String(height))
  drawing.style.removeProperty('max-width')
  const source = new XMLSerializer().serializeToString(drawing)
  return { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`, width, height }
}
