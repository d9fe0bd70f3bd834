import type { z } from 'zod'
import { isJsonObject } from '../json.ts'
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
    const name = path.at(-1)
    const parent = findParent(fields, path)
    if (!parent || name === undefined || !Object.hasOwn(parent, name)) continue
    const place = parent as Record<PropertyKey, unknown>
    const value = place[name]
    if (isEmpty(value)) {
      if (!drops_empty) continue
      if (Array.isArray(parent)) shortened.add(parent)
      place[name] = undefined
    } else {
      const read = expected.map((issue) => readAs(issue, value)).find((one) => one !== undefined)
      if (read === undefined) continue
      place[name] = read
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

/** The object or list in which the last name of a path lies. */
function findParent(fields: JsonObject, path: readonly PropertyKey[]): object | null {
  let at: unknown = fields
  for (const name of path.slice(0, -1)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return null
    at = (at as Record<PropertyKey, unknown>)[name]
  }
  return typeof at === 'object' ? at : null
}

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '')

/** A value as what an issue says is expected; undefined where it cannot be read so. */
function readAs(issue: Issue, value: unknown): unknown {
  const one = toOne(value)
  if (issue.code === 'invalid_value') return issue.values.find((option) => isSameWord(option, one))
  if (issue.code !== 'invalid_type') return
  switch (issue.expected) {
    case 'string':
      return ['string', 'number', 'boolean'].includes(typeof one) ? String(one) : undefined
    case 'number':
    case 'int':
      return typeof one === 'string' || typeof one === 'number' ? parseNumber(String(one)) : undefined
    case 'boolean':
      return TRUTHS.get(String(one).trim().toLowerCase())
    case 'array':
      return parseList(value)
    case 'object':
    case 'record':
      return typeof value === 'string' ? parseJson(value, '{') : undefined
    default:
      return
  }
}

/** A word or number that stands alone: the id of a resource that is sent back whole, the one item of a list. */
function toOne(value: unknown): unknown {
  if (isJsonObject(value)) return value.uuid ?? value.id ?? value.name
  return Array.isArray(value) && new Set(value).size === 1 ? value[0] : value
}

const isSameWord = (option: unknown, value: unknown): boolean =>
  typeof value !== 'object' && String(option).toLowerCase() === String(value).trim().toLowerCase()

/** Decimal digits, so that no other way to write numbers makes another amount of what somebody typed. */
function parseNumber(text: string): number | undefined {
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
    const list = parseJson(value, '[')
    return Array.isArray(list) ? list : value.split(/[\s,，、;；]+/).filter(Boolean)
  }
  if (typeof value === 'number') return [value]
  if (!isJsonObject(value)) return
  const names = Object.keys(value)
  if (names.length === 0 || !names.every((name) => /^\d+$/.test(name))) return
  // Such names are in the order of their numbers.
  return Object.values(value)
}

function parseJson(text: string, first: '{' | '['): unknown {
  if (!text.trim().startsWith(first)) return
  try {
    return JSON.parse(text)
  } catch {
    return
  }
}
