import { invalidateQuery } from '#web/core/deferredQuery.ts'
import { userQueryKey } from '#web/core/user.ts'

/** Query key of the list of conversations. */
export const sessionsKey = ['chat', 'sessions'] as const

const channel = new BroadcastChannel('wenqu.chat')

/** Refreshes what lists conversations. */
const invalidateLists = () => invalidateQuery(sessionsKey)

channel.addEventListener('message', () => invalidateLists())

/** Says to every other tab that something in a session may have changed. */
export const broadcastSessionChange = (sess_id: string): void => channel.postMessage({ sess_id })

/** Says to this tab's lists and to every other tab that something in a session has changed. */
export function notifySessionChange(sess_id: string): void {
  broadcastSessionChange(sess_id)
  invalidateLists()
  invalidateQuery(userQueryKey)
}

/** Hears what other tabs announce. Returns the way to stop. */
export function subscribeToSessionChanges(listener: (sess_id: string) => void): () => void {
  const onMessage = ({ data }: MessageEvent<{ sess_id: string }>) => listener(data.sess_id)
  channel.addEventListener('message', onMessage)
  return () => channel.removeEventListener('message', onMessage)
}
