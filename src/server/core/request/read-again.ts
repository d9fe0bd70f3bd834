import type { z } from 'zod'
import { isJsonObject, parseJsonObject } from '../json.ts'
import type { JsonObject } from '../json.ts'

type Issue = z.core.$ZodIssue
/** The place of an issue, and the values that were expected there. */
type Refusal = { path: readonly PropertyKey[]; expected: readonly Issue[] }

export type ReadAgainOptions = {
  /** An empty field counts as absent: forms send unfilled fields too. */
  drops_empty: boolean
}

/**
 * Converts values that a schema refused into what it expected there: an empty text or null is absent, a number, a boolean, a list
 * or an object may be written as text, and an object may stand for its id. Accepted values stay as they were sent. Changes
 * `fields` in place, and tells whether it changed anything: then they are to be validated again.
 */
export function readAgain(
  fields: JsonObject,
  issues: readonly Issue[],
  { drops_empty }: ReadAgainOptions,
): boolean {
  let hasChanged = false
  const shortened = new Set<unknown[]>()
  for (const { path, expected } of issues.map(toRefusal)) {
    const place = findPlace(fields, path)
    if (!place) continue
    const { parent, name } = place
    const value = parent[name]
    if (isEmpty(value)) {
      if (!drops_empty) continue
      if (Array.isArray(parent)) shortened.add(parent)
      parent[name] = undefined
    } else {
      const newValue = expected.map((issue) => readAs(issue, value)).find((one) => one !== undefined)
      if (newValue === undefined) continue
      parent[name] = newValue
    }
    hasChanged = true
  }
  for (const list of shortened) list.splice(0, Infinity, ...list.filter((item) => item !== undefined))
  return hasChanged
}

/** Collects everything that would have been accepted in the place of an issue: for a union, the expectations of each member. */
function toRefusal(issue: Issue): Refusal {
  if (issue.code !== 'invalid_union') return { path: issue.path, expected: [issue] }
  const expected = issue.errors.flat().filter(({ path }) => path.length === 0)
  return { path: issue.path, expected: expected.flatMap((one) => toRefusal(one).expected) }
}

type Place = { parent: Record<PropertyKey, unknown>; name: PropertyKey }

/** Finds the place of a value in `fields`. A path may lead on into a schema's own result, such as a list made of a text. */
function findPlace(fields: JsonObject, path: readonly PropertyKey[]): Place | null {
  let [parent, place]: [unknown, Place | null] = [fields, null]
  for (const name of path) {
    if (typeof parent !== 'object' || parent === null) return place
    if (!Object.hasOwn(parent, name)) return null
    place = { parent: parent as Place['parent'], name }
    parent = place.parent[name]
  }
  return place
}

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '')

/** Converts a value to what an issue expected; undefined where that is impossible. */
function readAs(issue: Issue, value: unknown): unknown {
  if (issue.code === 'invalid_value') {
    const word = toWord(value)
    return issue.values.find((option) => isSameWord(option, word))
  }
  if (issue.code !== 'invalid_type') return
  switch (issue.expected) {
    case 'string':
      return toWord(value)
    case 'number':
    case 'int':
      return parseNumber(toWord(value))
    case 'boolean':
      return TRUTHS.get(toWord(value)?.trim().toLowerCase() ?? '')
    case 'array':
      return parseList(value)
    case 'object':
    case 'record':
      return typeof value === 'string' ? (parseJsonObject(value) ?? undefined) : undefined
    default:
      return
  }
}

/** Returns a value as text: a resource that is sent back whole by its id, a list as words between commas; else undefined. */
function toWord(value: unknown): string | undefined {
  // Files are uploaded by other calls: a file in a form does not stand for its name.
  if (value instanceof File) return
  if (isJsonObject(value)) return toText(value.uuid ?? value.id ?? value.name)
  if (!Array.isArray(value)) return toText(value)
  const words = new Set(value.map(toText))
  return words.size === 0 || words.has(undefined) ? undefined : [...words].join(',')
}

const toText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined

const isSameWord = (option: unknown, word = ''): boolean =>
  String(option).toLowerCase() === word.trim().toLowerCase()

/** Parses decimal digits only, so that no other notation changes an amount that somebody typed. */
function parseNumber(text = ''): number | undefined {
  const trimmed = text.trim()
  return /^[+-]?\d{1,15}(\.\d{1,15})?$/.test(trimmed) ? Number(trimmed) : undefined
}

/** Spellings in forms and queries; `on` is HTML's for a checkbox. */
const TRUTHS = new Map([
  ['true', true],
  ['1', true],
  ['on', true],
  ['yes', true],
  ['false', false],
  ['0', false],
  ['off', false],
  ['no', false],
])

/** Parses a list written as JSON, as words between commas, blanks and lines, or as fields named by their numbers. */
function parseList(value: unknown): unknown[] | undefined {
  if (typeof value === 'string') {
    return parseJsonList(value) ?? value.split(/[\s,，、;；]+/).filter(Boolean)
  }
  if (typeof value === 'number') return [value]
  if (!isJsonObject(value)) return
  const names = Object.keys(value)
  if (names.length === 0 || !names.every((name) => /^\d+$/.test(name))) return
  // JavaScript orders such names by their numbers.
  return Object.values(value)
}

function parseJsonList(text: string): unknown[] | undefined {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list : undefined
  } catch {
    return
  }
}
