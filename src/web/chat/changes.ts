import { queryClient } from '../core/query.ts'
import { userKey } from '../core/user.ts'

/** Query key of the list of conversations. */
export const sessionsKey = ['chat', 'sessions'] as const

const channel = new BroadcastChannel('wenqu.chat')

/** Refreshes what lists conversations. */
const refreshLists = () => queryClient.invalidateQueries({ queryKey: sessionsKey })

channel.addEventListener('message', () => void refreshLists())

/** Says to every other tab that something in a session may have changed. */
export const tellTabs = (sess_id: string): void => channel.postMessage({ sess_id })

/** Says to this tab's lists and to every other tab that something in a session has changed. */
export function announce(sess_id: string): void {
  tellTabs(sess_id)
  void refreshLists()
  void queryClient.invalidateQueries({ queryKey: userKey })
}

/** Hears what other tabs announce. Returns the way to stop. */
export function onAnnounced(listener: (sess_id: string) => void): () => void {
  const hear = ({ data }: MessageEvent<{ sess_id: string }>) => listener(data.sess_id)
  channel.addEventListener('message', hear)
  return () => channel.removeEventListener('message', hear)
}
