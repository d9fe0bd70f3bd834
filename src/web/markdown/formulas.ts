import { watchCopies } from './copiedFormulas.ts'
import { MAX_FORMULA_CHARS } from './syntax/formulaSyntax.ts'

type Katex = typeof import('katex').default
/** The nodes that show a formula in the page, and the number of their elements. */
type Formula = { nodes: DocumentFragment; count: number }

let katex: Katex | null = null
let loading: Promise<void> | null = null
let [hasChemistry, loadingChemistry] = [false, null as Promise<void> | null]
let version = 0
const listeners = new Set<() => void>()
const cache = new Map<string, Formula>()
const CACHE_SIZE = 1000

/** A formula with deeper braces is shown as its source. */
const MAX_BRACES = 40
/** Nested tables: fractions, roots and exponents are one each. The time to lay them out doubles with every level. */
const tooDeep = '.vlist-t '.repeat(16).trim()
/** Limit for the elements of all formulas in a block together. */
const MAX_NODES = 3500
const MAX_EXPANSIONS = 200
/** Longest expansion of the macros in a formula that defines its own, characters. */
const MAX_OWN_CHARS = 2000
const definition = /\\(?:[egx]?def|(?:re)?newcommand|providecommand|(?:future)?let)(?![a-z])/i

/** Chemistry and units: `\\ce{CO2}`, `\\pu{25 g/mol}`. */
const chemistry = /\\(?:ce|pu)(?![a-zA-Z])/

function announceVersion(): void {
  version++
  for (const listener of listeners) listener()
}

/** Loads KaTeX with its style and fonts when the first formula appears. After a failure the next formula tries again. */
function loadKatex(): Promise<void> {
  loading ??= Promise.all([import('katex'), import('katex/dist/katex.min.css')])
    .then(([module]) => {
      katex = module.default
      announceVersion()
    })
    .catch(() => {
      loading = null
    })
  return loading
}

/** Loads KaTeX's chemistry extension, which registers itself. */
function loadChemistry(): Promise<void> {
  loadingChemistry ??= import('katex/contrib/mhchem')
    .then(() => {
      hasChemistry = true
      announceVersion()
    })
    .catch(() => {
      loadingChemistry = null
    })
  return loadingChemistry
}

/** Resolves when all code that the formulas shown so far need is loaded or has failed to load. */
export const waitForFormulas = async (): Promise<void> => {
  await Promise.all([loading, loadingChemistry])
}

export function subscribeToFormulas(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
/** Grows when KaTeX or an extension of it has been loaded. */
export const getFormulasVersion = (): number => version

/** Returns KaTeX's nodes for a formula; its source until KaTeX is loaded, and if rendering would block the page. */
function renderFormula(tex: string, display: boolean): Formula {
  void loadKatex()
  watchCopies()
  if (chemistry.test(tex)) void loadChemistry()
  if (!katex || (chemistry.test(tex) && !hasChemistry)) return createSource(tex)
  const key = (display ? 'd' : 'i') + tex
  let formula = cache.get(key)
  if (!formula) {
    formula = drawFormula(katex, tex, display) ?? createSource(tex)
    if (cache.size >= CACHE_SIZE) cache.clear()
    cache.set(key, formula)
  }
  return formula
}

/** Returns null for a formula that nests so deep, or grows so large, that it would block the page. */
function drawFormula(katex: Katex, tex: string, display: boolean): Formula | null {
  if (tex.length > MAX_FORMULA_CHARS || countBraces(tex) > MAX_BRACES) return null
  const maxExpand = definition.test(tex) ? Math.floor(MAX_OWN_CHARS / tex.length) : MAX_EXPANSIONS
  const root = document.createElement('span')
  try {
    // `trust` is off: no links, no images, no attributes.
    katex.render(tex, root, { displayMode: display, throwOnError: false, maxExpand, maxSize: 20 })
  } catch {
    // KaTeX shows its own errors; only a stack overflow is thrown.
    return null
  }
  const count = root.querySelectorAll('*').length
  if (count > MAX_NODES || root.querySelector(tooDeep)) return null
  const nodes = document.createDocumentFragment()
  nodes.append(...root.childNodes)
  return { nodes, count }
}

/** Returns the deepest nesting of braces. */
function countBraces(tex: string): number {
  let [depth, deepest] = [0, 0]
  for (const char of tex) {
    if (char === '{') deepest = Math.max(deepest, ++depth)
    if (char === '}') depth--
  }
  return deepest
}

function createSource(tex: string): Formula {
  const [nodes, source] = [document.createDocumentFragment(), document.createElement('span')]
  source.className = 'md-tex-source'
  source.textContent = tex
  nodes.append(source)
  return { nodes, count: 1 }
}

/** Fills the formula slots of a sanitised block. KaTeX makes its own nodes, which a sanitiser would take apart. */
export function fillFormulas(nodes: DocumentFragment): void {
  let count = 0
  for (const slot of nodes.querySelectorAll<HTMLElement>('.md-tex[data-tex]')) {
    const [tex = '', display] = [slot.dataset.tex, slot.dataset.display === '1']
    const formula = count < MAX_NODES ? renderFormula(tex, display) : createSource(tex)
    count += formula.count
    slot.replaceChildren(formula.nodes.cloneNode(true))
    delete slot.dataset.tex
    delete slot.dataset.display
    if (!display) continue
    slot.classList.add('md-tex-display')
    // A formula wider than the page scrolls, for the keyboard too.
    slot.tabIndex = 0
  }
}
