const STORAGE_KEY = 'wenqu.sidebar'

/** Whether this person has put the sidebar away. */
export function readSidebarHidden(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'hidden'
  } catch {
    return false
  }
}

export function writeSidebarHidden(hidden: boolean): void {
  try {
    localStorage.setItem(STORAGE_KEY, hidden ? 'hidden' : 'shown')
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}
