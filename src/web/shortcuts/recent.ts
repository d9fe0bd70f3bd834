const KEY = 'wenqu.palette'
const AT_MOST = 5

/** What was chosen in the palette lately, the newest first. */
export function recentEntries(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

export function keepRecent(id: string): void {
  try {
    const kept = [id, ...recentEntries().filter((other) => other !== id)].slice(0, AT_MOST)
    localStorage.setItem(KEY, JSON.stringify(kept))
  } catch {
    // Storage may be forbidden: then nothing is recent.
  }
}
