import { router } from '@inertiajs/react'
import { Keyboard, LogOut, Monitor, Moon, Search, Sun, Volume2 } from 'lucide-react'
import { getNavigation, type PageDefinition } from '#contract/pages.ts'
import { ApiError, request } from '#web/core/api.ts'
import { runCommand } from '#web/commands/commands.ts'
import { drafts } from '#web/composer/composer.tsx'
import { shellText } from '#web/text/shell.ts'
import { setTheme, type Theme } from '#web/core/theme.ts'
import type { MenuDivider, MenuItem } from '#web/ui/Menu.tsx'
import { toast } from '#web/ui/toast.ts'
import { updateVoiceReply } from '#web/voice/voice.ts'
import { PageIcon } from './PageIcon.tsx'

const themes = [
  { value: 'light', Icon: Sun },
  { value: 'dark', Icon: Moon },
  { value: 'system', Icon: Monitor },
] as const satisfies { value: Theme; Icon: unknown }[]

async function logout(): Promise<void> {
  try {
    const { redirect_to } = await request('POST /logout', {}, { failed: shellText.logoutFailed })
    drafts.clear()
    // A full visit, so that nothing of the person stays in memory.
    location.assign(redirect_to)
  } catch (error) {
    toast.error(error instanceof ApiError ? error.message : shellText.logoutFailed)
  }
}

const createPageItems = (signedIn: boolean, access: PageDefinition['access']): MenuItem[] =>
  getNavigation('account', signedIn)
    .filter((link) => link.access === access)
    .map(({ label, href, icon }) => ({
      label,
      icon: <PageIcon name={icon} size={16} />,
      onSelect: () => router.visit(href),
    }))

type AccountMenuState = { signedIn: boolean; theme: Theme; read_aloud: boolean; voice_reply: boolean }

/** The choices behind the account card: the theme, the palette, the shortcuts, links to pages, and signing out. */
export function createAccountMenuItems({
  signedIn,
  theme,
  read_aloud,
  voice_reply,
}: AccountMenuState): (MenuItem | MenuDivider)[] {
  return [
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
    ...createPageItems(signedIn, 'public'),
    ...(signedIn && read_aloud
      ? [
          {
            label: shellText.voiceReply,
            icon: <Volume2 size={16} />,
            checked: voice_reply,
            toggle: true,
            onSelect: () => void updateVoiceReply(!voice_reply),
          },
        ]
      : []),
    ...(signedIn
      ? [
          ...createPageItems(signedIn, 'user'),
          { label: shellText.logout, icon: <LogOut size={16} />, onSelect: () => void logout() },
        ]
      : []),
  ]
}
