/** Where in a conversation a person was: so many pixels below the beginning of a message. */
export type Place = { id: string; below: number }

const PREFIX = 'wenqu.scroll.'

/** The place to come back to; null is the end. */
export function keptPlace(sess_id: string): Place | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(PREFIX + sess_id) ?? 'null') as Place | null
    return kept && typeof kept.id === 'string' && typeof kept.below === 'number' ? kept : null
  } catch {
    return null
  }
}

/** Keeps a place as long as the tab lives. */
export function keepPlace(sess_id: string, place: Place | null): void {
  try {
    if (place) sessionStorage.setItem(PREFIX + sess_id, JSON.stringify(place))
    else sessionStorage.removeItem(PREFIX + sess_id)
  } catch {
    // Storage may be forbidden or full: then a conversation is entered at its end.
  }
}
