import { useEffect } from 'react'
import { create } from 'zustand'
import type { ListedSession } from '#contract/conversations/sessions.ts'
import { sharedStorage } from '#web/core/browserStorage.ts'
import { getAttachModule, getConversation, isTyping, sessionsKey } from '#web/conversations/conversations.ts'
import { queryClient } from '#web/core/queryClient.ts'
import { updateMarks, type SessionMarks } from './sessionMarks.ts'

const KEY = 'wenqu.session-marks'
/** Each holds a connection, of which a browser has six for one server. */
const MAX_WATCHED = 2

function readMarks(): SessionMarks {
  try {
    return JSON.parse(sharedStorage.getItem(KEY) ?? '{}') as SessionMarks
  } catch {
    return {}
  }
}

/** Kept in this browser: what was answered while no page was open is unread in the next one. */
const useMarks = create<{ marks: SessionMarks }>()(() => ({ marks: readMarks() }))
// Another tab has read what was unread.
addEventListener('storage', ({ key }) => key === KEY && useMarks.setState({ marks: readMarks() }))

/** This page reads the answer's own stream, and asks for the list again at its end. */
const isFollowed = (id: string): boolean => isTyping(getConversation(id)?.messages ?? [])

/** The marks of the sessions that are not on the screen. An answer that nobody follows here is waited for. */
export function useSessionMarks(sessions: readonly ListedSession[], visibleId: string | null): SessionMarks {
  const { marks } = useMarks()
  useEffect(() => {
    const next = updateMarks(readMarks(), sessions, visibleId)
    if (JSON.stringify(next) !== JSON.stringify(useMarks.getState().marks)) useMarks.setState({ marks: next })
    sharedStorage.setItem(KEY, JSON.stringify(next))
    // Not when the marks change: two lists that do not agree about a session would never come to rest.
  }, [sessions, visibleId])
  const watched = sessions
    .flatMap(({ id, running_turn }) =>
      running_turn && id !== visibleId && !isFollowed(id) ? [running_turn] : [],
    )
    .join()
  useEffect(() => (watched ? watchAnswers(watched.split(',')) : undefined), [watched])
  return marks
}

/** The answers that each list would wait for. */
const watchedLists = new Set<readonly string[]>()
/** Those that are waited for, by chat_id. */
const watchers = new Map<string, AbortController>()

/** Waits for the end of these answers; returns what ends the waiting. All lists, one for each open folder, share the connections. */
function watchAnswers(chatIds: readonly string[]): () => void {
  watchedLists.add(chatIds)
  updateWatchers()
  return () => {
    watchedLists.delete(chatIds)
    updateWatchers()
  }
}

function updateWatchers(): void {
  const next = [...new Set([...watchedLists].flat())].slice(0, MAX_WATCHED)
  for (const [chatId, controller] of watchers)
    if (!next.includes(chatId)) {
      controller.abort()
      watchers.delete(chatId)
    }
  for (const chatId of next)
    if (!watchers.has(chatId)) {
      const controller = new AbortController()
      watchers.set(chatId, controller)
      getAttachModule()
        .then(({ waitForAnswer }) => waitForAnswer(chatId, controller.signal))
        .then(
          () => queryClient.invalidateQueries({ queryKey: sessionsKey }),
          // The page is left, or has no network: the list is read again when that is back.
          () => {},
        )
    }
}
