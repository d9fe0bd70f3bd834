import { createHash } from 'node:crypto'
import type { PromptTraits } from '../catalogue/family-schema.ts'

/** The names that a platform takes, and the length of names that replace others. */
export type FittingNames = PromptTraits['tool_names']

const HASH_CHARS = 8

/** Returns a name that begins like the given one and ends with its hash, so that no two names become one. */
export function toHashedName(name: string, { chars }: FittingNames): string {
  const hash = createHash('sha256').update(name).digest('hex')
  if (chars <= 2 * HASH_CHARS) return hash.slice(0, chars)
  return `${toWord(name).slice(0, chars - HASH_CHARS - 1)}_${hash.slice(0, HASH_CHARS)}`
}

/** Makes a word of letters, digits, underscores and dashes that begins with a letter: every platform takes that. */
export function toWord(name: string): string {
  const word = name.replace(/[^a-zA-Z0-9_-]/g, '_')
  return /^[a-zA-Z]/.test(word) ? word : `x${word}`
}
