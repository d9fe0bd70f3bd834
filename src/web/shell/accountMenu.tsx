import { router } from '@inertiajs/react'
import { BookOpenText, KeyRound, LogOut, Monitor, Moon, Settings2, Sun } from 'lucide-react'
import { ApiError, request } from '../core/api.ts'
import { shellText } from '../text/shell.ts'
import { setTheme, useTheme, type Theme } from '../theme.ts'
import type { MenuBreak, MenuItem } from '../ui/Menu.tsx'
import { toast } from '../ui/toast.ts'

const themes = [
  { value: 'light', Icon: Sun },
  { value: 'dark', Icon: Moon },
  { value: 'system', Icon: Monitor },
] as const satisfies { value: Theme; Icon: unknown }[]

async function logout(): Promise<void> {
  try {
    const { redirect_to } = await request('POST /logout', {})
    // A full visit, so that nothing of the person stays in memory.
    location.assign(redirect_to)
  } catch (error) {
    toast.error(error instanceof ApiError && error.status ? error.message : shellText.logoutFailed)
  }
}

/** The choices behind the account card: the theme, the API reference, and signing out. */
export function useAccountMenu(signedIn: boolean): (MenuItem | MenuBreak)[] {
  const theme = useTheme()
  return [
    { heading: shellText.appearance },
    ...themes.map(({ value, Icon }) => ({
      label: shellText.themes[value],
      icon: <Icon size={16} />,
      checked: theme === value,
      onSelect: () => setTheme(value),
    })),
    'separator',
    {
      label: shellText.docs,
      icon: <BookOpenText size={16} />,
      onSelect: () => router.visit('/docs/api'),
    },
    ...(signedIn
      ? [
          {
            label: shellText.settings,
            icon: <Settings2 size={16} />,
            onSelect: () => router.visit('/profile/setting'),
          },
          {
            label: shellText.keys,
            icon: <KeyRound size={16} />,
            onSelect: () => router.visit('/profile/api-keys'),
          },
          { label: shellText.logout, icon: <LogOut size={16} />, onSelect: () => void logout() },
        ]
      : []),
  ]
}
