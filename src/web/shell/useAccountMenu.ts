import { useEffect, useState } from 'react'
import { lazyModule } from '#web/core/lazyModule.ts'
import { useConfig } from '#web/core/page.ts'
import { useUser } from '#web/core/user.ts'
import { useTheme } from '#web/core/theme.ts'
import type { MenuDivider, MenuItem } from '#web/ui/Menu.tsx'

type CreateItems = typeof import('./accountMenuItems.tsx').createAccountMenuItems

// Loaded at once, but the first paint does not wait for it.
const menuItemsModule = lazyModule(() => import('./accountMenuItems.tsx'), true)

/** Returns the items of the account menu; none until they are loaded. */
export function useAccountMenu(): (MenuItem | MenuDivider)[] {
  const [createItems, setCreateItems] = useState<CreateItems | null>(null)
  useEffect(
    () =>
      void menuItemsModule().then(
        ({ createAccountMenuItems: accountItems }) => setCreateItems(() => accountItems),
        () => {},
      ),
    [],
  )
  const theme = useTheme()
  const user = useUser()
  const { read_aloud } = useConfig()
  return createItems?.({ user, theme, read_aloud }) ?? []
}
