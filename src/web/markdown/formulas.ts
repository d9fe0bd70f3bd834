type Katex = typeof import('katex').default

let katex: Katex | null = null
let loading: Promise<void> | null = null
const listeners = new Set<() => void>()
const cache = new Map<string, DocumentFragment>()
const CACHE_SIZE = 1000

/** Loads KaTeX with its style and fonts when the first formula appears. A failed load is tried again with the next. */
export function loadFormulas(): Promise<void> {
  loading ??= Promise.all([import('katex'), import('katex/dist/katex.min.css')])
    .then(([module]) => {
      katex = module.default
      for (const listener of listeners) listener()
    })
    .catch(() => {
      loading = null
    })
  return loading
}

export function subscribeToFormulas(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const areFormulasReady = (): boolean => katex !== null

/** The formula as KaTeX's own nodes; until KaTeX is there, its source. */
function renderFormula(tex: string, display: boolean): Node {
  if (!katex) {
    const source = document.createElement('span')
    source.className = 'md-tex-source'
    source.textContent = tex
    return source
  }
  const key = (display ? 'd' : 'i') + tex
  let rendered = cache.get(key)
  if (!rendered) {
    rendered = document.createDocumentFragment()
    const root = document.createElement('span')
    // `trust` is off (no links, no images, no attributes); bounds keep a hostile formula from blocking the page.
    katex.render(tex, root, { displayMode: display, throwOnError: false, maxExpand: 200, maxSize: 20 })
    rendered.append(...root.childNodes)
    if (cache.size >= CACHE_SIZE) cache.clear()
    cache.set(key, rendered)
  }
  return rendered.cloneNode(true)
}

/** Fills the formula slots of a sanitised block. KaTeX makes its own nodes, which a sanitiser would take apart. */
export function fillFormulas(nodes: DocumentFragment): void {
  for (const slot of nodes.querySelectorAll<HTMLElement>('.md-tex[data-tex]')) {
    void loadFormulas()
    const display = slot.dataset.display === '1'
    slot.replaceChildren(renderFormula(slot.dataset.tex ?? '', display))
    delete slot.dataset.tex
    delete slot.dataset.display
    if (!display) continue
    slot.classList.add('md-tex-display')
    // A formula wider than the page scrolls, for the keyboard too.
    slot.tabIndex = 0
  }
}
