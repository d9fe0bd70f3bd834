import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark' | 'system'

/** Also read by public/theme.js before the first paint. */
const KEY = 'theme'
const systemDark = matchMedia('(prefers-color-scheme: dark)')
const watchers = new Set<() => void>()

function stored(): Theme {
  try {
    const value = localStorage.getItem(KEY)
    return value === 'light' || value === 'dark' ? value : 'system'
  } catch {
    return 'system'
  }
}

let theme = stored()

function apply(): void {
  const dark = theme === 'dark' || (theme === 'system' && systemDark.matches)
  document.documentElement.classList.toggle('dark', dark)
  for (const watcher of watchers) watcher()
}

systemDark.addEventListener('change', apply)
// Another tab changed it.
addEventListener('storage', (event) => {
  if (event.key !== KEY) return
  theme = stored()
  apply()
})

export function setTheme(next: Theme): void {
  theme = next
  try {
    localStorage.setItem(KEY, next)
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
  apply()
}

export const useTheme = (): Theme =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => theme,
  )
