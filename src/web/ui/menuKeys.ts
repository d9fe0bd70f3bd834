/**
 * The item of a `role=menu` element that a key leads to from the focused one, or null when the key moves nothing.
 * Disabled items can be reached too, so that their description is read out (WAI-ARIA menu pattern).
 */
export function findNextItem(menu: HTMLElement, key: string): HTMLElement | null {
  const rows = [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')]
  const focusedIndex = rows.findIndex((row) => row === document.activeElement)
  if (key === 'ArrowDown') return rows[(focusedIndex + 1) % rows.length] ?? null
  if (key === 'ArrowUp') return rows[(focusedIndex <= 0 ? rows.length : focusedIndex) - 1] ?? null
  if (key === 'Home') return rows[0] ?? null
  if (key === 'End') return rows.at(-1) ?? null
  if (key.length !== 1 || key === ' ') return null
  const letter = key.toLowerCase()
  const after = [...rows.slice(focusedIndex + 1), ...rows.slice(0, focusedIndex + 1)]
  return after.find((row) => row.textContent.trim().toLowerCase().startsWith(letter)) ?? null
}
