const KEY = 'wenqu.palette'
const MAX_ENTRIES = 5

/** Ids of the entries last chosen in the palette, the newest first. */
export function getRecentEntries(): string[] {
  try {
    const storedIds: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(storedIds) ? storedIds.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

export function addRecentEntry(id: string): void {
  try {
    const recentIds = [id, ...getRecentEntries().filter((other) => other !== id)].slice(0, MAX_ENTRIES)
    localStorage.setItem(KEY, JSON.stringify(recentIds))
  } catch {
    // Storage may be forbidden: then nothing is recent.
  }
}
