import { useEffect, useState } from 'react'
import { lazyModule } from '#web/core/lazyModule.ts'
import { subscribeToSessionChanges, broadcastSessionChange } from './tabSync.ts'
import {
  getConversation,
  isLocalConversation,
  createLocalConversationId,
  reloadMessages,
  useConversations,
} from './conversationStore.ts'
import { isTyping } from './messages.ts'

// Loaded at once, but the first paint does not wait for them.
const getAttachModule = lazyModule(() => import('./attach.ts'), true)
export const getAskModule = lazyModule(() => import('./ask.ts'), true)
export const getStopModule = lazyModule(() => import('./stop.ts'), true)
export const getVersionsModule = lazyModule(() => import('./versions.ts'))

/**
 * The conversation of the page: of the session in its address, or a draft; at the message in the address, or at its end.
 * While it is shown it is kept in step with other tabs and devices, and an answer that is being written anywhere is
 * followed here.
 */
export function useConversation(sess_id: string | null, targetMessageId: string | null) {
  const [localId] = useState(createLocalConversationId)
  const id = useConversations((state) => sess_id ?? state.sessionByLocalId[localId] ?? localId)
  const conversation = useConversations((state) => state.byId[id])

  useEffect(() => {
    if (isLocalConversation(id)) return
    const refresh = async () => {
      await reloadMessages(id)
      // Without it the answer is read when the network, or the person, is back.
      const attach = await getAttachModule().catch(() => null)
      attach?.attachToLastAnswer(id)
    }
    // A question that was just asked here has its messages already.
    if (getConversation(id)?.sending) return subscribeToRefresh(id, refresh)
    // A page that was left in the middle of asking had no time to tell the others: the next one does.
    void openAtMessage(id, targetMessageId)
      .then(refresh)
      .then(() => broadcastSessionChange(id))
    return subscribeToRefresh(id, refresh)
  }, [id, targetMessageId])

  return {
    id,
    conversation,
    isTyping: Boolean(conversation && (conversation.sending || isTyping(conversation.messages))),
  }
}

/** Goes to the message in the address; without one, back to the end from wherever an earlier one had led. */
async function openAtMessage(id: string, message_id: string | null): Promise<void> {
  if (!message_id && !getConversation(id)?.has_newer) return
  const { jumpToMessage, jumpToNewest } = await import('./messagePages.ts')
  await (message_id ? jumpToMessage(id, message_id) : jumpToNewest(id))
}

function subscribeToRefresh(id: string, refresh: () => Promise<void>): () => void {
  const controller = new AbortController()
  const { signal } = controller
  const unsubscribe = subscribeToSessionChanges((sess_id) => {
    if (sess_id === id) void refresh()
  })
  const onVisible = () => {
    if (document.visibilityState === 'visible') void refresh()
  }
  document.addEventListener('visibilitychange', onVisible, { signal })
  addEventListener('focus', onVisible, { signal })
  addEventListener('online', onVisible, { signal })
  return () => {
    unsubscribe()
    controller.abort()
  }
}
