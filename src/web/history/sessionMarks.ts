import type { ListedSession } from '#contract/conversations/sessions.ts'

/** Of a session that is not looked at: its answer is being written, or has ended and was not read. */
export type SessionMark = 'running' | 'unread'
export type SessionMarks = Readonly<Record<string, SessionMark>>

/** Kept at most; the oldest give way. */
const MAX_MARKS = 50

type Listed = Pick<ListedSession, 'id' | 'running_turn'>

/**
 * The marks after the list was read again: an answer that was being written and no longer is was not read, unless its
 * session is the one on the screen. The same object where nothing has changed.
 */
export function updateMarks(
  marks: SessionMarks,
  sessions: readonly Listed[],
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
