import type { ListedSession } from '#contract/conversations/sessions.ts'

/** Mark of a session that is not shown: its answer is being written, or has ended and is unread. */
export type SessionMark = 'running' | 'unread'
export type SessionMarks = Readonly<Record<string, SessionMark>>

/** Number of marks kept at most; the oldest are dropped. */
const MAX_MARKS = 50

type MarkedSession = Pick<ListedSession, 'id' | 'running_turn'>

/**
 * Updates the marks after the list was read again: an answer that has ended since is unread, unless its session is on the screen.
 * Returns the same object where nothing has changed.
 */
export function updateMarks(
  marks: SessionMarks,
  sessions: readonly MarkedSession[],
  visibleId: string | null,
): SessionMarks {
  const next = new Map(Object.entries(marks))
  for (const { id, running_turn } of sessions) {
    if (running_turn) next.set(id, 'running')
    else if (id === visibleId) next.delete(id)
    else if (next.has(id)) next.set(id, 'unread')
  }
  const isSame =
    next.size === Object.keys(marks).length && [...next].every(([id, mark]) => marks[id] === mark)
  return isSame ? marks : Object.fromEntries([...next].slice(-MAX_MARKS))
}
