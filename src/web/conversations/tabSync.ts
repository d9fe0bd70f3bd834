import { invalidateQuery } from '#web/core/deferredQuery.ts'
import { userQueryKey } from '#web/core/user.ts'

/** Query key of the list of conversations. */
export const sessionsKey = ['chat', 'sessions'] as const

const channel = new BroadcastChannel('wenqu.chat')

/** Refreshes the lists of conversations. */
export const invalidateLists = () => invalidateQuery(sessionsKey)

channel.addEventListener('message', () => invalidateLists())

/** Tells every other tab that a session may have changed; without `sessId`, that only lists have. */
export const broadcastSessionChange = (sessId?: string): void => channel.postMessage({ sess_id: sessId })

/** Refreshes this tab's lists and user, and tells every other tab that a session has changed. */
export function notifySessionChange(sessId: string): void {
  broadcastSessionChange(sessId)
  invalidateLists()
  invalidateQuery(userQueryKey)
}

/** Calls `listener` with every change that another tab announces. Returns the unsubscribe function. */
export function subscribeToSessionChanges(listener: (sessId: string | undefined) => void): () => void {
  const onMessage = ({ data }: MessageEvent<{ sess_id?: string }>) => listener(data.sess_id)
  channel.addEventListener('message', onMessage)
  return () => channel.removeEventListener('message', onMessage)
}
