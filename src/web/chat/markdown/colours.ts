import type { HLJSApi, LanguageFn } from 'highlight.js'
import { escapeHtml } from './escape.ts'
import { languages } from './languages.ts'

let hljs: HLJSApi | null = null
const asked = new Set<string>()
const watchers = new Set<() => void>()
let version = 0

export function watchColours(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
/** Grows with every language that has been loaded. */
export const coloursVersion = (): number => version

async function load(name: string, language: () => Promise<{ default: LanguageFn }>): Promise<void> {
  const [core, grammar] = await Promise.all([import('highlight.js/lib/core'), language()])
  hljs = core.default
  hljs.registerLanguage(name, grammar.default)
  version++
  for (const watcher of watchers) watcher()
}

/**
 * Code as HTML with `hljs-…` spans; the same text in one colour until its language has been loaded (which this call
 * starts) and for languages that are not known.
 */
export function colour(code: string, lang: string): string {
  const known = languages.get(lang.toLowerCase())
  if (!known) return escapeHtml(code)
  const [name, language] = known
  if (hljs?.getLanguage(name)) return hljs.highlight(code, { language: name, ignoreIllegals: true }).value
  if (!asked.has(name)) {
    asked.add(name)
    load(name, language).catch(() => asked.delete(name))
  }
  return escapeHtml(code)
}
