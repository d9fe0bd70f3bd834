import type { JsonObject } from '../json.ts'

/** Deepest nesting of names in a field. */
const MAX_DEPTH = 8

type FieldValue = string | File | FieldValue[] | { [name: string]: FieldValue }

/**
 * Makes an object of the fields of a form or a query. `settings[chat][stream]` and `embeds[0][id]` are nested fields, as PHP,
 * jQuery and Inertia write them, and so is `settings.stream`; `emails[]`, and a repeated name, is a list of values.
 */
export function nestFields(entries: Iterable<[string, string | File]>): JsonObject {
  const fields: { [name: string]: FieldValue } = Object.create(null)
  for (const [name, value] of entries) {
    const path = splitName(name)
    let parent = fields
    for (const key of path.slice(0, -1)) {
      const child = parent[key]
      parent = isGroup(child) ? child : ((parent[key] = Object.create(null)) as typeof fields)
    }
    const last = path.at(-1)!
    const earlier = parent[last]
    if (earlier === undefined) parent[last] = name.endsWith('[]') ? [value] : value
    else if (Array.isArray(earlier)) earlier.push(value)
    else parent[last] = [earlier, value]
  }
  return fields
}

/** Splits `a[b][c]` and `a.b.c` into their three names, `a[]` into its one; a name in another form stays whole. */
function splitName(fieldName: string): string[] {
  const name = fieldName.replaceAll(/\.([^.[\]]+)/g, '[$1]')
  const match = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name)
  if (!match) return [fieldName]
  const inner = match[2]!.slice(1, -1).split('][')
  if (inner.at(-1) === '') inner.pop()
  return inner.length < MAX_DEPTH ? [match[1]!, ...inner] : [fieldName]
}

const isGroup = (value: FieldValue | undefined): value is { [name: string]: FieldValue } =>
  typeof value === 'object' && !Array.isArray(value) && !(value instanceof File)
