import type { HLJSApi, LanguageFn } from 'highlight.js'
import { escapeHtml } from './escape.ts'
import { languages } from './languages.ts'

let hljs: HLJSApi | null = null
const asked = new Set<string>()
const watchers = new Set<() => void>()
const pending = new Set<Promise<void>>()
let version = 0
/** Longer code keeps one colour: reading it would hold up the page. */
const MOST_CHARS = 100_000

export function watchColours(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
/** Grows with every language that has been loaded. */
export const coloursVersion = (): number => version

/** Every language that was asked for is there, or could not be had. */
export const coloursSettled = async (): Promise<void> => {
  while (pending.size) await Promise.allSettled(pending)
}

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
  if (!known || code.length > MOST_CHARS) return escapeHtml(code)
  const [name, language] = known
  if (hljs?.getLanguage(name)) return hljs.highlight(code, { language: name, ignoreIllegals: true }).value
  if (!asked.has(name)) {
    asked.add(name)
    const loading = load(name, language).catch(() => void asked.delete(name))
    pending.add(loading)
    void loading.then(() => pending.delete(loading))
  }
  return escapeHtml(code)
}
