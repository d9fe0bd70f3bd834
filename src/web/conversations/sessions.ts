import type { ChatSession } from '#contract/chat.ts'
import { ApiError, isNotFound, request } from '#web/core/api.ts'
import { historyText } from '#web/text/history/history.ts'
import { toast } from '#web/ui/toast.ts'
import { MAX_SESSIONS_PER_CHANGE } from './limits.ts'
import { broadcastSessionChange, invalidateLists, notifySessionChange } from './tabSync.ts'
import { removeConversation } from './conversationStore.ts'

/**
 * Tells the server which session is meant by calls without one. The page does not wait for it. A refusal is shown as the
 * specification demands (section 8): the server's message up to status 403, a fixed one above.
 */
export async function switchSession(sessId: string): Promise<void> {
  try {
    await request(
      'POST /api/chat/session/switch',
      { body: { sess_id: sessId } },
      { failed: historyText.switchFailed },
    )
  } catch (error) {
    const hasMessage = error instanceof ApiError && error.status <= 403
    toast.error(hasMessage ? error.message : historyText.switchFailed)
  }
}

/** Deletes a session with its messages; reports a failure to the person. */
export async function deleteSession(id: string): Promise<boolean> {
  try {
    await request('DELETE /api/chat/session/{id}', { params: { id } }, { failed: historyText.deleteFailed })
  } catch (error) {
    if (!isNotFound(error)) {
      toast.error(error instanceof ApiError ? error.message : historyText.deleteFailed)
      return false
    }
  }
  removeConversation(id)
  notifySessionChange(id)
  return true
}

type SessionsAction = 'archive' | 'restore' | 'delete'

/** Archives, restores or deletes sessions; reports a failure to the person. */
export async function changeSessions(ids: readonly string[], action: SessionsAction): Promise<boolean> {
  try {
    for (let from = 0; from < ids.length; from += MAX_SESSIONS_PER_CHANGE) {
      const body = { sess_ids: ids.slice(from, from + MAX_SESSIONS_PER_CHANGE), action }
      await request('POST /api/chat/sessions/change', { body }, { failed: historyText.changeFailed })
    }
  } catch (error) {
    if (!isNotFound(error)) {
      toast.error(error instanceof ApiError ? error.message : historyText.changeFailed)
      return false
    }
  }
  if (action === 'delete') for (const id of ids) removeConversation(id)
  for (const id of ids) broadcastSessionChange(id)
  invalidateLists()
  return true
}

/** Archives sessions, and offers to undo it. */
export async function archiveSessions(ids: readonly string[]): Promise<boolean> {
  if (!(await changeSessions(ids, 'archive'))) return false
  toast.undoable(historyText.archivedDone(ids.length), {
    label: historyText.undo,
    run: () => void changeSessions(ids, 'restore'),
  })
  return true
}

/** Renames or pins a session; reports a failure to the person. */
export async function updateSession(
  id: string,
  body: Partial<Pick<ChatSession, 'title' | 'pinned'>>,
): Promise<boolean> {
  try {
    await request(
      'PATCH /api/chat/session/{id}',
      { params: { id }, body },
      { failed: historyText.changeFailed },
    )
  } catch (error) {
    toast.error(error instanceof ApiError ? error.message : historyText.changeFailed)
    return false
  }
  notifySessionChange(id)
  return true
}

/** Copies a session up to a message into a new one and returns its id. Reports a failure and returns null. */
export async function forkSession(sessId: string, messageId: string): Promise<string | null> {
  try {
    const { session } = await request(
      'POST /api/chat/session/fork',
      { body: { sess_id: sessId, message_id: messageId } },
      { failed: historyText.forkFailed },
    )
    notifySessionChange(session.id)
    return session.id
  } catch (error) {
    toast.error(error instanceof ApiError ? error.message : historyText.forkFailed)
    return null
  }
}

/** Requests a better title than the first question's words. Nothing waits for it, and a failure does not matter. */
export function requestTitle(id: string): void {
  request('POST /api/chat/session/{id}/title', { params: { id } }).then(
    () => notifySessionChange(id),
    () => {},
  )
}
