import { router } from '@inertiajs/react'
import {
  BookOpenText,
  Keyboard,
  KeyRound,
  LogOut,
  Monitor,
  Moon,
  Search,
  Settings2,
  Sun,
  Volume2,
} from 'lucide-react'
import { ApiError, request } from '../core/api.ts'
import { code, withCode } from '../ui/code.ts'
import { runCommand } from '../shortcuts/handlers.ts'
import { shellText } from '../text/shell.ts'
import { setTheme, type Theme } from '../theme.ts'
import type { MenuBreak, MenuItem } from '../ui/Menu.tsx'
import { toast } from '../ui/toast.ts'

const voiceReply = code(() => import('../voice/reply.ts'))

const themes = [
  { value: 'light', Icon: Sun },
  { value: 'dark', Icon: Moon },
  { value: 'system', Icon: Monitor },
] as const satisfies { value: Theme; Icon: unknown }[]

async function logout(): Promise<void> {
  try {
    const { redirect_to } = await request('POST /logout', {})
    const { drafts } = await import('../chat/browserDrafts.ts')
    drafts.forget()
    // A full visit, so that nothing of the person stays in memory.
    location.assign(redirect_to)
  } catch (error) {
    toast.error(error instanceof ApiError && error.status ? error.message : shellText.logoutFailed)
  }
}

type Now = { signedIn: boolean; theme: Theme; read_aloud: boolean; voice_reply: boolean }

/** The choices behind the account card: the theme, the palette, the shortcuts, the API reference, and signing out. */
export function accountItems({ signedIn, theme, read_aloud, voice_reply }: Now): (MenuItem | MenuBreak)[] {
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
    {
      label: shellText.docs,
      icon: <BookOpenText size={16} />,
      onSelect: () => router.visit('/docs/api'),
    },
    ...(signedIn && read_aloud
      ? [
          {
            label: shellText.voiceReply,
            icon: <Volume2 size={16} />,
            checked: voice_reply,
            toggle: true,
            onSelect: () =>
              void withCode(voiceReply, ({ chooseVoiceReply }) => chooseVoiceReply(!voice_reply)),
          },
        ]
      : []),
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
