import { router } from '@inertiajs/react'
import { Keyboard, LogOut, Monitor, Moon, Search, Sun, Volume2 } from 'lucide-react'
import { getNavigation, pages } from '#contract/pages.ts'
import type { UserInfo } from '#contract/users.ts'
import { formatCoins } from '#web/core/format.ts'
import { runCommand } from '#web/conversations/commands/commands.ts'
import { shellText } from '#web/text/shell.ts'
import { setTheme, type Theme } from '#web/core/theme.ts'
import type { MenuDivider, MenuItem } from '#web/ui/Menu.tsx'
import { updateVoiceReply } from '#web/conversations/voice/voice.ts'
import { PageIcon } from '#web/ui/layout/PageIcon.tsx'
import { logout } from './logout.ts'

const BALANCE_URL = pages.Balance.paths[0] ?? '/'

const themes = [
  { value: 'light', Icon: Sun },
  { value: 'dark', Icon: Moon },
  { value: 'system', Icon: Monitor },
] as const satisfies { value: Theme; Icon: unknown }[]

const createPageItems = (): MenuItem[] =>
  getNavigation('account', true).map(({ label, href, icon }) => ({
    label,
    icon: <PageIcon name={icon} size={16} />,
    onSelect: () => router.visit(href),
  }))

type AccountMenuState = { user: UserInfo | null; theme: Theme; read_aloud: boolean }

/** Creates the items of the account menu: balance and usage, links to pages, theme, palette and shortcuts, signing out. */
export function createAccountMenuItems({
  user,
  theme,
  read_aloud,
}: AccountMenuState): (MenuItem | MenuDivider)[] {
  return [
    ...(user
      ? [
          {
            label: shellText.balance(formatCoins(user.balance)),
            description: shellText.balanceHint,
            icon: <PageIcon name="charging" size={16} />,
            onSelect: () => router.visit(BALANCE_URL),
          },
          ...createPageItems(),
          'separator' as const,
        ]
      : []),
    { heading: shellText.appearance },
    ...themes.map(({ value, Icon }) => ({
      label: shellText.themes[value],
      icon: <Icon size={16} />,
      checked: theme === value,
      onSelect: () => setTheme(value),
    })),
    'separator',
    { label: shellText.palette, icon: <Search size={16} />, onSelect: () => void runCommand('palette') },
    { label: shellText.shortcuts, icon: <Keyboard size={16} />, onSelect: () => void runCommand('help') },
    ...(user && read_aloud
      ? [
          {
            label: shellText.voiceReply,
            icon: <Volume2 size={16} />,
            checked: user.voice_reply,
            toggle: true,
            onSelect: () => void updateVoiceReply(!user.voice_reply),
          },
        ]
      : []),
    ...(user
      ? [
          'separator' as const,
          { label: shellText.logout, icon: <LogOut size={16} />, onSelect: () => void logout() },
        ]
      : []),
  ]
}
