import type { HLJSApi, LanguageFn } from 'highlight.js'
import { escapeHtml } from '../syntax/escapeHtml.ts'
import { languages } from './languages.ts'

let hljs: HLJSApi | null = null
const requestedLanguages = new Set<string>()
const listeners = new Set<() => void>()
const pending = new Set<Promise<void>>()
let version = 0
/** Longest code that is coloured, characters: parsing more would block the page. */
const MAX_CHARS = 100_000

export function subscribeToHighlighter(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
/** Grows with every language that has been loaded. */
export const getHighlighterVersion = (): number => version

/** Resolves when every requested language is loaded or has failed to load. */
export const waitForHighlighter = async (): Promise<void> => {
  while (pending.size) await Promise.allSettled(pending)
}

async function loadLanguage(name: string, language: () => Promise<{ default: LanguageFn }>): Promise<void> {
  const [core, grammar] = await Promise.all([import('highlight.js/lib/core'), language()])
  hljs = core.default
  hljs.registerLanguage(name, grammar.default)
  version++
  for (const listener of listeners) listener()
}

/**
 * Returns code as HTML with `hljs-…` spans. The text keeps one colour if its language is unknown, and until its language is
 * loaded, which this call starts.
 */
export function highlightCode(code: string, lang: string): string {
  const entry = languages.get(lang.toLowerCase())
  if (!entry || code.length > MAX_CHARS) return escapeHtml(code)
  const [name, language] = entry
  if (hljs?.getLanguage(name)) return hljs.highlight(code, { language: name, ignoreIllegals: true }).value
  if (!requestedLanguages.has(name)) {
    requestedLanguages.add(name)
    const loading = loadLanguage(name, language).catch(() => void requestedLanguages.delete(name))
    pending.add(loading)
    void loading.then(() => pending.delete(loading))
  }
  return escapeHtml(code)
}
