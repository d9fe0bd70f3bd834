import type { ChatSession } from '#contract/chat.ts'
import { ApiError, request } from '../core/api.ts'
import { chatText } from '../text/chat.ts'
import { toast } from '../ui/toast.ts'
import { announce } from './changes.ts'
import { forget } from './conversation.ts'

/**
 * Tells the server which session calls without one mean. The page does not wait for it; a refusal is shown as the
 * specification says (section 8): its own words up to 403, a fixed message above.
 */
export async function switchTo(sess_id: string): Promise<void> {
  try {
    await request('POST /api/chat/session/switch', { body: { sess_id } })
  } catch (error) {
    const said = error instanceof ApiError && error.status > 0 && error.status <= 403
    toast.error(said ? error.message : chatText.switchFailed)
  }
}

/** Deletes a session with its messages; says so when it fails. */
export async function removeSession(id: string): Promise<boolean> {
  try {
    await request('DELETE /api/chat/session/{id}', { params: { id } })
  } catch (error) {
    const gone = error instanceof ApiError && error.status === 404
    if (!gone) {
      toast.error(reasonOf(error, chatText.deleteFailed))
      return false
    }
  }
  forget(id)
  announce(id)
  return true
}

const reasonOf = (error: unknown, otherwise: string): string =>
  error instanceof ApiError && error.status > 0 ? error.message : otherwise

/** Gives a session a title of the person's own, or pins it; says so when it fails. */
export async function changeSession(
  id: string,
  body: Partial<Pick<ChatSession, 'title' | 'pinned'>>,
): Promise<boolean> {
  try {
    await request('PATCH /api/chat/session/{id}', { params: { id }, body })
  } catch (error) {
    toast.error(reasonOf(error, chatText.changeFailed))
    return false
  }
  announce(id)
  return true
}

/** Copies a session up to a message into a new one, and returns its id; null, and says so, when it fails. */
export async function forkSession(sess_id: string, message_id: string): Promise<string | null> {
  try {
    const { session } = await request('POST /api/chat/session/fork', { body: { sess_id, message_id } })
    announce(session.id)
    return session.id
  } catch (error) {
    toast.error(reasonOf(error, chatText.forkFailed))
    return null
  }
}

/** Asks for a better title than the first question's words; nothing waits for it, and none is no loss. */
export function titleLater(id: string): void {
  request('POST /api/chat/session/{id}/title', { params: { id } }).then(
    () => announce(id),
    () => {},
  )
}
