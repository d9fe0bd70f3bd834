export type Body = Record<string, unknown>

/** An answer that a platform gives instead of taking a call. */
export type Refusal = { status: number; body: object; rule: string }

/** The reason of a refusal, in the platform's words; the other fields go into its error. */
export type Violation = {
  message: string
  /** Default 400. */
  status?: number
  type?: string
  param?: string
  code?: string
  detail?: object[]
}

export type Rule = {
  name: string
  /** A page where the platform, or people whom it refused, describe the rule. */
  source: string
  /** The date on which the source was read. */
  read: string
  find(body: Body, path: string): Violation | null
}

const READ = '2026-11-28'

/** Makes a rule that its source, an address, described on the day it was read. */
export const rule = (name: string, source: string, find: Rule['find']): Rule => ({
  name,
  source,
  read: READ,
  find,
})

/** Returns the value as an object; an empty one where it is none. */
export const readObject = (value: unknown): Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : {}

/** Returns the objects of a list; none where it is no list. */
export const readList = (value: unknown): Body[] => (Array.isArray(value) ? value.map(readObject) : [])

export const readText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns the texts of a list, or a single text. */
export const readTexts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')

/** Returns the value at the first place where `find` returns one. */
export function findFirst<Item, Found>(
  items: Iterable<Item>,
  find: (item: Item, index: number) => Found | null,
): Found | null {
  let index = 0
  for (const item of items) {
    const found = find(item, index)
    if (found !== null) return found
    index += 1
  }
  return null
}
