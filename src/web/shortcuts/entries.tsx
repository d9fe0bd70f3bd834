import { router } from '@inertiajs/react'
import { useQuery } from '@tanstack/react-query'
import { Box, Command as CommandIcon, MessageSquare } from 'lucide-react'
import { useDeferredValue, type ReactNode } from 'react'
import { sessionsKey } from '../chat/changes.ts'
import { chooseModel, useModels } from '../chat/models.ts'
import { conversationOnScreen } from '../chat/onScreen.ts'
import { usable } from '../chat/usable.ts'
import { request } from '../core/api.ts'
import { useUser } from '../core/user.ts'
import { chatText } from '../text/chat.ts'
import { shellText } from '../text/shell.ts'
import { shortcutsText } from '../text/shortcuts.ts'
import { setTheme, type Theme } from '../theme.ts'
import { canRun, runCommand } from './handlers.ts'
import { search } from './match.ts'
import { recentEntries } from './recent.ts'
import { commands, keysOf, type Keys } from './shortcuts.ts'
import { openSession } from './visits.ts'

/** What can be chosen in the palette. */
export type Entry = { id: string; label: string; icon: ReactNode; keys?: Keys; run: () => void | 'models' }
export type Group = { title: string; entries: Entry[] }

const MOST_SESSIONS = 20
const SHOWN_AT_FIRST = 6
const command = <CommandIcon size={16} />
const themes: Theme[] = ['light', 'dark', 'system']

const pages = [
  { href: '/chat', label: shellText.chat },
  { href: '/models', label: shellText.modelsPlaza },
  { href: '/calculator', label: shellText.calculator },
  { href: '/docs/charging', label: shellText.charging },
  { href: '/docs/api', label: shellText.docs },
]

const ownPages = [
  { href: '/profile/setting', label: shellText.settings },
  { href: '/profile/api-keys', label: shellText.keys },
]

/** What can be done now: shortcuts that the page knows, models, themes, and the rooms of the product. */
function commandEntries(signedIn: boolean): Entry[] {
  const rooms = signedIn ? [...pages, ...ownPages] : pages
  return [
    ...commands
      .filter((name) => name !== 'palette' && canRun(name))
      .map((name): Entry => {
        const keys = keysOf[name]
        const run = () => void runCommand(name)
        return {
          id: name,
          label: shortcutsText.commands[name],
          icon: command,
          run,
          ...(keys ? { keys } : {}),
        }
      }),
    { id: 'models', label: shortcutsText.models, icon: <Box size={16} />, run: () => 'models' },
    ...rooms.map(({ href, label }) => ({ id: href, label, icon: command, run: () => router.visit(href) })),
    ...themes.map((theme) => ({
      id: `theme ${theme}`,
      label: shortcutsText.theme(shellText.themes[theme]),
      icon: command,
      run: () => setTheme(theme),
    })),
  ]
}

function useModelEntries(guest: boolean): Entry[] {
  const { models } = useModels(guest, '')
  return models
    .filter((model) => usable(model, guest))
    .map(({ id, name }) => ({
      id: `model ${id}`,
      label: shortcutsText.toModel(name),
      icon: <Box size={16} />,
      run: () => chooseModel(id, conversationOnScreen()),
    }))
}

const sessionEntry = (id: string) => `session ${id}`

/** The newest conversations, those that the server finds by what was typed, and the messages that it finds. */
function useSessionEntries(query: string): { sessions: Entry[]; messages: Map<string, Entry> } {
  const keywords = useDeferredValue(query.trim()).slice(0, 100)
  const read = (words: string) => ({
    queryKey: [...sessionsKey, 'palette', words],
    queryFn: async ({ signal }: { signal: AbortSignal }) =>
      (
        await request(
          'GET /api/chat/sessions',
          { query: { keywords: words, size: MOST_SESSIONS } },
          { signal },
        )
      ).items,
  })
  const newest = useQuery(read(''))
  const named = useQuery({ ...read(keywords), enabled: keywords !== '', placeholderData: (before) => before })
  const sessions = new Map(
    [...(newest.data ?? []), ...(named.data ?? [])].map((session) => [session.id, session]),
  )
  const icon = <MessageSquare size={16} />
  const entries = [...sessions.values()].map(({ id, title }) => ({
    id: sessionEntry(id),
    label: title || chatText.untitled,
    icon,
    run: () => openSession(id),
  }))
  const found = (keywords ? (named.data ?? []) : []).flatMap(({ id, title, hit }): [string, Entry][] =>
    hit
      ? [
          [
            sessionEntry(id),
            {
              id: `message ${hit.message_id}`,
              label: `${title || chatText.untitled}：${hit.before}${hit.match}${hit.after}`,
              icon,
              run: () => openSession(id, hit.message_id),
            },
          ],
        ]
      : [],
  )
  return { sessions: entries, messages: new Map(found) }
}

/** What the palette shows for what was typed; without anything what was used lately comes first. */
export function useGroups(query: string, modelsOnly: boolean): Group[] {
  const user = useUser()
  const models = useModelEntries(user === null)
  const { sessions, messages } = useSessionEntries(query)
  const all = commandEntries(user !== null)
  const found = (entries: Entry[]) => search(query, entries, ({ label }) => label)
  if (modelsOnly) return filled([{ title: shortcutsText.modelGroup, entries: found(models) }])
  if (query.trim()) {
    const titled = found(sessions)
    // A conversation that is found by its title is not listed again for what it says.
    const others = [...messages].filter(([session]) => !titled.some(({ id }) => id === session))
    return filled([
      { title: shortcutsText.commandGroup, entries: found(all) },
      { title: shortcutsText.sessionGroup, entries: titled },
      { title: shortcutsText.messageGroup, entries: others.map(([, entry]) => entry) },
      { title: shortcutsText.modelGroup, entries: found(models) },
    ])
  }
  const known = new Map([...all, ...models, ...sessions].map((entry) => [entry.id, entry]))
  const recent = recentEntries().flatMap((id) => known.get(id) ?? [])
  const others = (entries: Entry[]) => entries.filter((entry) => !recent.includes(entry))
  return filled([
    { title: shortcutsText.recent, entries: recent },
    { title: shortcutsText.sessionGroup, entries: others(sessions).slice(0, SHOWN_AT_FIRST) },
    { title: shortcutsText.commandGroup, entries: others(all) },
  ])
}

const filled = (groups: Group[]): Group[] => groups.filter(({ entries }) => entries.length)
