import { useEffect, useState } from 'react'
import { code } from '../ui/code.ts'
import { onAnnounced, tellTabs } from './changes.ts'
import { conversation, isDraft, newDraft, reload, useConversations } from './conversation.ts'
import { isTyping } from './turns.ts'

// Loaded at once, but the first paint does not wait for it.
const attaching = code(() => import('./attach.ts'), true)

/**
 * The conversation of the page: of the session in its address, or a draft; at the message in the address, or at its end.
 * While it is shown it is kept in step with
 * other tabs and devices, and an answer that is being written anywhere is followed here.
 */
export function useConversation(sess_id: string | null, message_id: string | null) {
  const [draft] = useState(newDraft)
  const id = useConversations((state) => sess_id ?? state.sessionOf[draft] ?? draft)
  const shown = useConversations((state) => state.byId[id])

  useEffect(() => {
    if (isDraft(id)) return
    const refresh = async () => {
      await reload(id)
      // Without it the answer is read when the network, or the person, is back.
      const attach = await attaching().catch(() => null)
      attach?.attachToLast(id)
    }
    // A question that was just asked here has its messages already.
    if (conversation(id)?.sending) return listen(id, refresh)
    // A page that was left in the middle of asking had no time to tell the others: the next one does.
    void open(id, message_id)
      .then(refresh)
      .then(() => tellTabs(id))
    return listen(id, refresh)
  }, [id, message_id])

  return { id, shown, typing: Boolean(shown && (shown.sending || isTyping(shown.turns))) }
}

/** Goes to the message in the address; without one, back to the end from wherever an earlier one had led. */
async function open(id: string, message_id: string | null): Promise<void> {
  if (!message_id && !conversation(id)?.has_newer) return
  const { jumpTo, toNewest } = await import('./scrolling.ts')
  await (message_id ? jumpTo(id, message_id) : toNewest(id))
}

function listen(id: string, refresh: () => Promise<void>): () => void {
  const listening = new AbortController()
  const { signal } = listening
  const silence = onAnnounced((sess_id) => {
    if (sess_id === id) void refresh()
  })
  const onVisible = () => {
    if (document.visibilityState === 'visible') void refresh()
  }
  document.addEventListener('visibilitychange', onVisible, { signal })
  addEventListener('focus', onVisible, { signal })
  addEventListener('online', onVisible, { signal })
  return () => {
    silence()
    listening.abort()
  }
}
