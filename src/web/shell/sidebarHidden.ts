const KEY = 'wenqu.sidebar'

/** Whether this person has put the sidebar away. */
export function sidebarHidden(): boolean {
  try {
    return localStorage.getItem(KEY) === 'hidden'
  } catch {
    return false
  }
}

export function keepSidebarHidden(hidden: boolean): void {
  try {
    localStorage.setItem(KEY, hidden ? 'hidden' : 'shown')
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}
