import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark' | 'system'

/** Also read by public/boot.js before the first paint. */
const STORAGE_KEY = 'theme'
const systemDark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

function readStoredTheme(): Theme {
  try {
    const value = localStorage.getItem(STORAGE_KEY)
    return value === 'light' || value === 'dark' ? value : 'system'
  } catch {
    return 'system'
  }
}

let theme = readStoredTheme()
/** Printed pages are light in every theme. */
let isPrinting = false

function applyTheme(): void {
  const dark = !isPrinting && (theme === 'dark' || (theme === 'system' && systemDark.matches))
  document.documentElement.classList.toggle('dark', dark)
  for (const listener of listeners) listener()
}

systemDark.addEventListener('change', applyTheme)
for (const event of ['beforeprint', 'afterprint'])
  addEventListener(event, () => {
    isPrinting = event === 'beforeprint'
    applyTheme()
  })
// Another tab changed the theme.
addEventListener('storage', (event) => {
  if (event.key !== STORAGE_KEY) return
  theme = readStoredTheme()
  applyTheme()
})

export function setTheme(next: Theme): void {
  theme = next
  try {
    localStorage.setItem(STORAGE_KEY, next)
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
  applyTheme()
}

export const useTheme = (): Theme =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => theme,
    () => 'system',
  )
