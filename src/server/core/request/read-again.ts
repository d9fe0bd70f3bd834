import type { z } from 'zod'
import { isJsonObject, parseJsonObject } from '../json.ts'
import type { JsonObject } from '../json.ts'

type Issue = z.core.$ZodIssue
/** Where an issue lies, and what it says is expected there. */
type Refusal = { path: readonly PropertyKey[]; expected: readonly Issue[] }

export type ReadAgainOptions = {
  /** An empty field is absent, as a form sends those that nobody filled in. */
  drops_empty: boolean
}

/**
 * Reads once more what a schema refused of a request, by what it expected there: an empty text or null is absent, a number, a
 * truth, a list or an object may be written as text, and an object may stand for its id. What the schema took stays as it was
 * sent. Changes `fields` in place, and tells whether it changed anything: then the schema is to be asked again.
 */
export function readAgain(
  fields: JsonObject,
  issues: readonly Issue[],
  { drops_empty }: ReadAgainOptions,
): boolean {
  let hasChanged = false
  const shortened = new Set<unknown[]>()
  for (const { path, expected } of issues.map(toRefusal)) {
    const found = findPlace(fields, path)
    if (!found) continue
    const { parent, name } = found
    const value = parent[name]
    if (isEmpty(value)) {
      if (!drops_empty) continue
      if (Array.isArray(parent)) shortened.add(parent)
      parent[name] = undefined
    } else {
      const read = expected.map((issue) => readAs(issue, value)).find((one) => one !== undefined)
      if (read === undefined) continue
      parent[name] = read
    }
    hasChanged = true
  }
  for (const list of shortened) list.splice(0, Infinity, ...list.filter((item) => item !== undefined))
  return hasChanged
}

/** An issue with all that would have been taken in its place: of a union, what each of its members expected. */
function toRefusal(issue: Issue): Refusal {
  if (issue.code !== 'invalid_union') return { path: issue.path, expected: [issue] }
  const expected = issue.errors.flat().filter(({ path }) => path.length === 0)
  return { path: issue.path, expected: expected.flatMap((one) => toRefusal(one).expected) }
}

type Place = { parent: Record<PropertyKey, unknown>; name: PropertyKey }

/** Where a value lies in what was sent. A path may lead on into what a schema has made of it, a list of a text for example. */
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

/** A value as what an issue says is expected; undefined where it cannot be read so. */
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

/** A value as text: the id of a resource that is sent back whole, a list as its words between commas; undefined of all others. */
function toWord(value: unknown): string | undefined {
  // Files are uploaded elsewhere: one in a form does not stand for its name.
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

/** Decimal digits, so that no other way to write numbers makes another amount of what somebody typed. */
function parseNumber(text = ''): number | undefined {
  const trimmed = text.trim()
  return /^[+-]?\d{1,15}(\.\d{1,15})?$/.test(trimmed) ? Number(trimmed) : undefined
}

/** As forms and queries write them; `on` is a checkbox of HTML. */
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

/** A list that is written as JSON, as words between commas, blanks and lines, or as fields with the numbers of its items. */
function parseList(value: unknown): unknown[] | undefined {
  if (typeof value === 'string') {
    return parseJsonList(value) ?? value.split(/[\s,，、;；]+/).filter(Boolean)
  }
  if (typeof value === 'number') return [value]
  if (!isJsonObject(value)) return
  const names = Object.keys(value)
  if (names.length === 0 || !names.every((name) => /^\d+$/.test(name))) return
  // Such names are in the order of their numbers.
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
