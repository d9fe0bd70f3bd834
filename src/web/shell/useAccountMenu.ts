import { useEffect, useState } from 'react'
import { code } from '../ui/code.ts'
import { useConfig } from '../core/page.ts'
import { useUser } from '../core/user.ts'
import { useTheme } from '../theme.ts'
import type { MenuBreak, MenuItem } from '../ui/Menu.tsx'

type Items = typeof import('./accountItems.tsx').accountItems

// Loaded at once, but the first picture does not wait for it.
const loading = code(() => import('./accountItems.tsx'), true)

/** What stands in the menu of the person's choices; nothing until it is loaded. */
export function useAccountMenu(): (MenuItem | MenuBreak)[] {
  const [items, setItems] = useState<Items | null>(null)
  useEffect(
    () =>
      void loading().then(
        ({ accountItems }) => setItems(() => accountItems),
        () => {},
      ),
    [],
  )
  const theme = useTheme()
  const user = useUser()
  const { read_aloud } = useConfig()
  const voice_reply = user?.voice_reply ?? false
  return items?.({ signedIn: user !== null, theme, read_aloud, voice_reply }) ?? []
}
