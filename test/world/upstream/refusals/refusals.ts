import { PLATFORMS } from './platforms.ts'
import { findFirst } from './rule.ts'
import type { Body, Refusal, Rule } from './rule.ts'

export type { Refusal } from './rule.ts'

/** Returns the platform at the beginning of a path; without one, a platform of no vendor, by the dialect of the path. */
export function resolvePlatform(path: string): string {
  const [, first = ''] = path.split(/[/?]/)
  if (Object.hasOwn(PLATFORMS, first)) return first
  if (isMessages(path)) return 'anthropic'
  return isGeneration(path) ? 'gemini' : 'openai-compatible'
}

/**
 * Returns a platform's refusal of a request with this body, in its own shape; null where it takes it. Platforms of the OpenAI
 * dialect have addresses of Anthropic's as well, with rules of their own.
 */
export function findRefusal(platform: string, path: string, body: unknown): Refusal | null {
  const isForeign = isMessages(path) && platform !== 'anthropic'
  const found = PLATFORMS[isForeign ? 'anthropic-compatible' : platform]
  if (!found || typeof body !== 'object' || body === null) return null
  return findFirst(listRules(found, path), (rule) => {
    const violation = rule.find(body as Body, path)
    if (!violation) return null
    const { status = 400 } = violation
    return { status, body: found.renderError(violation, status), rule: rule.name }
  })
}

const isMessages = (path: string): boolean => /\/messages(\?|$)/.test(path)
const isGeneration = (path: string): boolean => /:(streamG|g)enerateContent\b/.test(path)

function listRules({ chat, embeddings = [], rerank = [] }: (typeof PLATFORMS)[string], path: string): Rule[] {
  if (isMessages(path) || isGeneration(path) || /\/chat\/completions(\?|$)/.test(path)) return chat
  if (/\/embed(dings)?(\?|$)/.test(path)) return embeddings
  return /\/rerank(\?|$)/.test(path) ? rerank : []
}
