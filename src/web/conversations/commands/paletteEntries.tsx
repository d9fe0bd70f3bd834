import { router } from '@inertiajs/react'
import { useQuery } from '#web/core/queryClient.ts'
import { ArrowRight, Box, MessageSquare } from 'lucide-react'
import { useDeferredValue, type ReactNode } from 'react'
import { getNavigation } from '#contract/pages.ts'
import { sessionsKey, getVisibleConversationId, openSession } from '#web/conversations/conversations.ts'
import { chooseModel, useModelChoice, isUsable } from '#web/conversations/model-picker/model-picker.tsx'
import { request } from '#web/core/api.ts'
import { useUser } from '#web/core/user.ts'
import { historyText } from '#web/text/history/history.ts'
import { shellText } from '#web/text/shell.ts'
import { commandsText } from '#web/text/commands.ts'
import { setTheme, type Theme } from '#web/core/theme.ts'
import { PageIcon } from '#web/ui/layout/PageIcon.tsx'
import { commandIcons, themeIcons } from './commandIcons.ts'
import { canRunCommand, runCommand } from './commandRegistry.ts'
import { fuzzySearch } from './fuzzyMatch.ts'
import { getRecentEntries } from './recentEntries.ts'
import { commands, keyBindings, type KeyBinding } from './shortcuts.ts'

/** An entry that can be chosen in the palette. */
export type PaletteEntry = {
  id: string
  label: string
  icon: ReactNode
  keys?: KeyBinding
  run: () => void | 'models'
}
export type PaletteGroup = { title: string; entries: PaletteEntry[] }

const MAX_SESSIONS = 20
const INITIAL_SESSIONS = 6
const themes: Theme[] = ['light', 'dark', 'system']

/** Commands that the shown page handles, the choice of models, links to pages, and themes. */
function createCommandEntries(signedIn: boolean): PaletteEntry[] {
  return [
    ...commands
      .filter((name) => name !== 'palette' && canRunCommand(name))
      .map((name): PaletteEntry => {
        const keys = keyBindings[name]
        const run = () => void runCommand(name)
        const Icon = commandIcons[name]
        return {
          id: name,
          label: commandsText.commands[name],
          icon: <Icon size={16} />,
          run,
          ...(keys ? { keys } : {}),
        }
      }),
    { id: 'models', label: commandsText.models, icon: <Box size={16} />, run: () => 'models' },
    ...getNavigation('palette', signedIn).map(({ href, label, icon }) => ({
      id: href,
      label,
      icon: icon ? <PageIcon name={icon} size={16} /> : <ArrowRight size={16} />,
      run: () => router.visit(href),
    })),
    ...themes.map((theme) => {
      const Icon = themeIcons[theme]
      return {
        id: `theme ${theme}`,
        label: commandsText.theme(shellText.themes[theme]),
        icon: <Icon size={16} />,
        run: () => setTheme(theme),
      }
    }),
  ]
}

function useModelEntries(guest: boolean): PaletteEntry[] {
  const { models } = useModelChoice(guest, '')
  return models
    .filter((model) => isUsable(model, guest))
    .map(({ id, name }) => ({
      id: `model ${id}`,
      label: commandsText.toModel(name),
      icon: <Box size={16} />,
      run: () => chooseModel(id, getVisibleConversationId()),
    }))
}

const toSessionEntryId = (id: string) => `session ${id}`

/** The newest conversations and those that the server finds for the query, and the messages that it finds. */
function useSessionEntries(query: string): { sessions: PaletteEntry[]; messages: Map<string, PaletteEntry> } {
  const keywords = useDeferredValue(query.trim()).slice(0, 100)
  const createSessionQuery = (words: string) => ({
    queryKey: [...sessionsKey, 'palette', words],
    queryFn: async ({ signal }: { signal: AbortSignal }) =>
      (
        await request(
          'GET /api/chat/sessions',
          { query: { keywords: words, size: MAX_SESSIONS } },
          { signal },
        )
      ).items,
  })
  const newest = useQuery(createSessionQuery(''))
  const matchQuery = useQuery({
    ...createSessionQuery(keywords),
    enabled: keywords !== '',
    placeholderData: (before) => before,
  })
  const sessions = new Map(
    [...(newest.data ?? []), ...(matchQuery.data ?? [])].map((session) => [session.id, session]),
  )
  const icon = <MessageSquare size={16} />
  const entries = [...sessions.values()].map(({ id, title }) => ({
    id: toSessionEntryId(id),
    label: title || historyText.untitled,
    icon,
    run: () => openSession(id),
  }))
  const messageEntries = (keywords ? (matchQuery.data ?? []) : []).flatMap(
    ({ id, title, hit }): [string, PaletteEntry][] =>
      hit
        ? [
            [
              toSessionEntryId(id),
              {
                id: `message ${hit.message_id}`,
                label: `${title || historyText.untitled}：${hit.before}${hit.match}${hit.after}`,
                icon,
                run: () => openSession(id, hit.message_id),
              },
            ],
          ]
        : [],
  )
  return { sessions: entries, messages: new Map(messageEntries) }
}

/** The palette's groups for a query; with an empty query, recently chosen entries come first. */
export function usePaletteGroups(query: string, modelsOnly: boolean): PaletteGroup[] {
  const user = useUser()
  const models = useModelEntries(user === null)
  const { sessions, messages } = useSessionEntries(query)
  const commandList = createCommandEntries(user !== null)
  const matchEntries = (entries: PaletteEntry[]) => fuzzySearch(query, entries, ({ label }) => label)
  if (modelsOnly) return withoutEmpty([{ title: commandsText.modelGroup, entries: matchEntries(models) }])
  if (query.trim()) {
    const titled = matchEntries(sessions)
    // A conversation found by its title is not listed again for a message.
    const others = [...messages].filter(([session]) => !titled.some(({ id }) => id === session))
    return withoutEmpty([
      { title: commandsText.commandGroup, entries: matchEntries(commandList) },
      { title: commandsText.sessionGroup, entries: titled },
      { title: commandsText.messageGroup, entries: others.map(([, entry]) => entry) },
      { title: commandsText.modelGroup, entries: matchEntries(models) },
    ])
  }
  const entriesById = new Map([...commandList, ...models, ...sessions].map((entry) => [entry.id, entry]))
  const recent = getRecentEntries().flatMap((id) => entriesById.get(id) ?? [])
  const others = (entries: PaletteEntry[]) => entries.filter((entry) => !recent.includes(entry))
  return withoutEmpty([
    { title: commandsText.recent, entries: recent },
    { title: commandsText.sessionGroup, entries: others(sessions).slice(0, INITIAL_SESSIONS) },
    { title: commandsText.commandGroup, entries: others(commandList) },
  ])
}

const withoutEmpty = (groups: PaletteGroup[]): PaletteGroup[] =>
  groups.filter(({ entries }) => entries.length)
