import { ApiError, request } from '../core/api.ts'
import { turnsText } from '../text/turns.ts'
import { toast } from '../ui/toast.ts'
import { announce } from './changes.ts'
import { change, reload } from './conversation.ts'

/** Shows another version of a message and what follows it. */
export const choose = (sess_id: string, id: string): Promise<void> =>
  changed(sess_id, turnsText.chooseFailed, () => request('POST /api/chat/versions/choose', { body: { id } }))

/** Deletes a turn; what followed it stays. */
export const removeTurn = (sess_id: string, chat_id: string): Promise<void> =>
  changed(sess_id, turnsText.removeFailed, async () => {
    await request('DELETE /api/chat/turn/{chat_id}', { params: { chat_id } })
    // It may be on a page that is not read again.
    change(sess_id, ({ turns }) => ({ turns: turns.filter((turn) => turn.chat_id !== chat_id), stay: true }))
  })

async function changed(sess_id: string, failed: string, call: () => Promise<unknown>): Promise<void> {
  try {
    await call()
  } catch (error) {
    toast.error(error instanceof ApiError && error.status > 0 ? error.message : failed)
  }
  // What was refused may have been done elsewhere already: in both cases the server knows how it stands.
  await reload(sess_id, { stay: true })
  announce(sess_id)
}
