export type Body = Record<string, unknown>

/** An answer that a platform gives instead of taking a call. */
export type Refusal = { status: number; body: object; rule: string }

/** Why a call is refused, in the platform's words; the rest is for the fields of its error. */
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
  /** Where the platform or people whom it refused say so. */
  source: string
  /** When the source was read. */
  read: string
  find(body: Body, path: string): Violation | null
}

const READ = '2026-11-28'

/** A rule that its source, an address, stood for on the day it was read. */
export const rule = (name: string, source: string, find: Rule['find']): Rule => ({
  name,
  source,
  read: READ,
  find,
})

/** The value as an object; an empty one where it is none. */
export const readObject = (value: unknown): Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : {}

/** The objects of a list; none where it is no list. */
export const readList = (value: unknown): Body[] => (Array.isArray(value) ? value.map(readObject) : [])

export const readText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The texts of a list, or of a single text. */
export const readTexts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')

/** The value at the first place where `find` sees something. */
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
