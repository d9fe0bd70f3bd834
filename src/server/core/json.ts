export type JsonObject = Record<string, unknown>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object that a JSON text is; null when it is none. */
export function parseJsonObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

/** A member of an object; undefined where there is no object, or no such member. */
export function getField(from: unknown, name: string): unknown {
  return isJsonObject(from) ? from[name] : undefined
}

/** The objects of a list; none where it is no list. */
export function filterObjects(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

/** Whether any string in a JSON value, at any depth, fulfils a condition. */
export function someString(value: unknown, condition: (text: string) => boolean): boolean {
  const pending: unknown[] = [value]
  while (pending.length) {
    const next = pending.pop()
    if (typeof next === 'string' && condition(next)) return true
    // One by one: as arguments of one call, a hundred thousand values would overflow the stack.
    if (typeof next === 'object' && next) for (const one of Object.values(next)) pending.push(one)
  }
  return false
}

/** A string, or an empty one. */
export function asString(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
