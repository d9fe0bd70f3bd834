// Runs inside the frame of drawDiagram.ts, which requests one diagram after the other.
import mermaid from 'mermaid'
import type { DiagramReply, DiagramRequest } from './drawDiagram.ts'
import { findErrorLine } from './errorLine.ts'

/** These limits are for browsers that run the frame in the page's process, where drawing cannot be stopped. */
const MAX_CHARS = 10_000
const MAX_EDGES = 500

/** Syntax that could make the drawing load something or disguise it: images, styles from elsewhere, raw elements. */
const externalReference =
  /url\s*\(|@import|image-set|@\{[^}]*\b(?:img|icon)\b|<\s*\/?\s*(?:img|image|iframe|link|style|script|svg|object|embed|video|audio|use)\b/i

/** Decodes CSS escapes: in a style `u\\72l(` means `url(`. */
const decodeCssEscapes = (code: string): string =>
  code.replace(/\\(?:([\da-f]{1,6})\s?|(\W))/gi, (raw, hex: string | undefined, char: string | undefined) => {
    const point = parseInt(hex ?? '', 16)
    return char ?? (point > 31 && point < 127 ? String.fromCharCode(point) : raw)
  })

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

async function draw({ id, code, dark: inDark, fontFamily }: DiagramRequest): Promise<DiagramReply> {
  if (externalReference.test(code) || externalReference.test(decodeCssEscapes(code)))
    return { id, refused: 'external' }
  if (code.length > MAX_CHARS) return { id, refused: 'tooLarge' }
  configure(inDark, fontFamily)
  document.body.replaceChildren()
  try {
    const { svg } = await mermaid.render(`diagram-${++last}`, code, document.body)
    return { id, ...toDiagramImage(svg) }
  } catch (error) {
    return { id, refused: 'broken', line: findErrorLine(code, error) }
  }
}

function configure(inDark: boolean, fontFamily: string): void {
  const config = {
    theme: 'base' as const,
    themeVariables: { darkMode: inDark, fontSize: '14px', ...getThemeVariables(inDark ? dark : light) },
    fontFamily,
    themeCSS: '',
    securityLevel: 'strict' as const,
    look: 'classic' as const,
    htmlLabels: false,
    startOnLoad: false,
    suppressErrorRendering: true,
    maxTextSize: MAX_CHARS,
    maxEdges: MAX_EDGES,
  }
  // Directives in a diagram may not change its look, because styles can load things.
  const secure = [
    'secure',
    'altFontFamily',
    'darkMode',
    'look',
    'layout',
    'dompurifyConfig',
    ...Object.keys(config),
  ]
  mermaid.initialize({ ...config, secure })
}

/** Space around a diagram, in CSS pixels. */
const MARGIN = 8

function toDiagramImage(svg: string): { src: string; width: number; height: number } {
  // Mermaid has removed everything executable from it.
  document.body.innerHTML = svg
  const drawing = document.querySelector('svg')
  if (!drawing) throw new Error('mermaid has drawn nothing')
  // Mermaid measures before the labels have their places.
  const { x, y, width: drawnWidth, height: drawnHeight } = drawing.getBBox()
  const [width, height] = [Math.ceil(drawnWidth + 2 * MARGIN), Math.ceil(drawnHeight + 2 * MARGIN)]
  drawing.setAttribute('viewBox', [x - MARGIN, y - MARGIN, width, height].join(' '))
  drawing.setAttribute('width', String(width))
  drawing.setAttribute('height', String(height))
  drawing.style.removeProperty('max-width')
  const source = new XMLSerializer().serializeToString(drawing)
  return { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`, width, height }
}

addEventListener('message', ({ source, data }: MessageEvent<DiagramRequest>) => {
  if (source !== parent) return
  // The frame has an opaque origin, and its message holds only a picture of the text that the page sent.
  void draw(data).then((reply) => parent.postMessage(reply, '*'))
})
parent.postMessage('ready', '*')
