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
      toast.error(error instanceof ApiError && error.status > 0 ? error.message : chatText.deleteFailed)
      return false
    }
  }
  forget(id)
  announce(id)
  return true
}
