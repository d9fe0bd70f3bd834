/** Where in a conversation a person was: so many pixels below the beginning of a message. */
export type ScrollPosition = { id: string; below: number }

const PREFIX = 'wenqu.scroll.'

/** The place to come back to; null is the end. */
export function loadScrollPosition(sess_id: string): ScrollPosition | null {
  try {
    const saved = JSON.parse(sessionStorage.getItem(PREFIX + sess_id) ?? 'null') as ScrollPosition | null
    return saved && typeof saved.id === 'string' && typeof saved.below === 'number' ? saved : null
  } catch {
    return null
  }
}

/** Keeps a place as long as the tab lives. */
export function saveScrollPosition(sess_id: string, position: ScrollPosition | null): void {
  try {
    if (position) sessionStorage.setItem(PREFIX + sess_id, JSON.stringify(position))
    else sessionStorage.removeItem(PREFIX + sess_id)
  } catch {
    // Storage may be forbidden or full: then a conversation is entered at its end.
  }
}
