// What Inertia's client takes of es-toolkit, in the place of it (vite.config.ts): what passes through the client here is
// JSON and plain options, and what es-toolkit does beyond that is 3 kB gzip of every first load.

type Values = Record<string, unknown>

const isPlain = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** A deep copy of plain objects and arrays; whatever else is in them (functions, files) stays the same. */
export function cloneDeep<T>(value: T): T {
  if (Array.isArray(value)) return value.map(cloneDeep) as T
  if (!isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cloneDeep(inner)])) as T
}

/** Whether plain objects and arrays say the same; whatever else is in them must be the same. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => isEqual(item, b[i]))
  if (!isPlain(a) || !isPlain(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]))
  )
}

/** The keys of `a.b.0`. */
export const toPath = (path: string): string[] => (path ? path.split('.') : [])

/** Whether an object has a key of its own, or one at a path. */
export function has(object: unknown, path: string): boolean {
  let inner: unknown = object
  return toPath(path).every((key) => {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return false
    inner = (inner as Values)[key]
    return true
  })
}

/** What an object has at a path; undefined where the path ends before. */
export const get = (object: unknown, path: string): unknown =>
  toPath(path).reduce<unknown>((inner, key) => (inner as Values | null | undefined)?.[key], object)

/** Puts a value at a path, with the objects on the way where they are missing, and gives the object. */
export function set<T extends object>(object: T, path: string, value: unknown): T {
  const keys = toPath(path)
  const last = keys.pop()
  if (last === undefined || [...keys, last].includes('__proto__')) return object
  let inner: Values = object as Values
  for (const key of keys) {
    if (typeof inner[key] !== 'object' || inner[key] === null) inner[key] = {}
    inner = inner[key] as Values
  }
  inner[last] = value
  return object
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as it stands in HTML, also in the value of an attribute. */
export const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
