import { useEffect } from 'react'
import { create } from 'zustand'
import type { ListedSession } from '#contract/conversations/sessions.ts'
import { sharedStorage } from '#web/core/browserStorage.ts'
import { getAskModule, getConversation, isTyping, sessionsKey } from '#web/conversations/conversations.ts'
import { queryClient } from '#web/core/queryClient.ts'
import { updateMarks, type SessionMarks } from './sessionMarks.ts'

const KEY = 'wenqu.session-marks'
/** Limit of watched answers: each needs a connection, and a browser has six for one server. */
const MAX_WATCHED = 2

function readMarks(): SessionMarks {
  try {
    return JSON.parse(sharedStorage.getItem(KEY) ?? '{}') as SessionMarks
  } catch {
    return {}
  }
}

/** Kept in this browser, so that an answer that ended while no page was open is unread in the next one. */
const useMarks = create<{ marks: SessionMarks }>()(() => ({ marks: readMarks() }))
// Another tab has read an answer.
addEventListener('storage', ({ key }) => key === KEY && useMarks.setState({ marks: readMarks() }))

/** Tells whether this page reads the answer's own stream, and so refetches the list at its end. */
const isFollowed = (id: string): boolean => isTyping(getConversation(id)?.messages ?? [])

/** The marks of the sessions that are not on the screen. Waits for the end of answers that this page does not follow. */
export function useSessionMarks(sessions: readonly ListedSession[], visibleId: string | null): SessionMarks {
  const { marks } = useMarks()
  useEffect(() => {
    const next = updateMarks(readMarks(), sessions, visibleId)
    if (JSON.stringify(next) !== JSON.stringify(useMarks.getState().marks)) useMarks.setState({ marks: next })
    sharedStorage.setItem(KEY, JSON.stringify(next))
    // The marks are no dependency: two lists that disagree about a session would update each other endlessly.
  }, [sessions, visibleId])
  const watchedIds = sessions
    .flatMap(({ id, running_turn }) =>
      running_turn && id !== visibleId && !isFollowed(id) ? [running_turn] : [],
    )
    .join()
  useEffect(() => (watchedIds ? watchAnswers(watchedIds.split(',')) : undefined), [watchedIds])
  return marks
}

/** The turns that each list wants to watch. */
const watchedLists = new Set<readonly string[]>()
/** Watched turns by chat_id. */
const watchers = new Map<string, AbortController>()

/** Waits for the end of answers; returns a function that stops it. All lists, one for each open folder, share the connections. */
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
      getAskModule()
        .then(({ waitForAnswer }) => waitForAnswer(chatId, controller.signal))
        .then(
          () => queryClient.invalidateQueries({ queryKey: sessionsKey }),
          // The watch was stopped, or the network is cut; the list is refetched when it is back.
          () => {},
        )
    }
}
