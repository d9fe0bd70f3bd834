export type JsonObject = Record<string, unknown>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses the object in a JSON text; null for any other text. */
export function parseJsonObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

/** Returns a member of an object; undefined where there is no object, or no such member. */
export function getField(from: unknown, name: string): unknown {
  return isJsonObject(from) ? from[name] : undefined
}

/** Returns the objects in a list; none for any other value. */
export function filterObjects(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

/** Tells whether any string in a JSON value, at any depth, meets a condition. */
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

/** Returns a string, or an empty one for any other value. */
export function asString(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
