import { useEffect, useState } from 'react'
import { lazyModule } from '#web/core/lazyModule.ts'
import { subscribeToSessionChanges, broadcastSessionChange } from './tabSync.ts'
import {
  getConversation,
  isLocalConversation,
  createLocalConversationId,
  enterConversation,
  isFurtherUp,
  reloadMessages,
  useConversations,
} from './conversationStore.ts'
import { isTyping } from './messages.ts'

// Loaded at once, but not before the first paint.
export const getAskModule = lazyModule(() => import('./ask.ts'), true)
export const getFeedbackModule = lazyModule(() => import('./feedback.ts'))
export const getVersionsModule = lazyModule(() => import('./versions.ts'))

/**
 * The conversation of the page, for its chatbot: of the session in the address, or a draft; at the message in the address, or at
 * the end. While it is shown, it is kept in step with other tabs and devices, and an answer being written anywhere is followed
 * here.
 */
export function useConversation(sessId: string | null, targetMessageId: string | null, chatbot: string) {
  const [localId] = useState(createLocalConversationId)
  const id = useConversations((state) => sessId ?? state.sessionByLocalId[localId] ?? localId)
  const storedConversation = useConversations((state) => state.byId[id])
  const conversation = storedConversation?.chatbot === chatbot ? storedConversation : undefined

  useEffect(() => {
    enterConversation(id, chatbot)
    if (isLocalConversation(id)) return
    const refresh = async () => {
      await reloadMessages(id)
      // If the module does not load, a later refresh reads the answer.
      const asking = await getAskModule().catch(() => null)
      asking?.attachToLastAnswer(id)
    }
    // A question just asked here brings its messages.
    if (getConversation(id)?.sending) return subscribeToRefresh(id, refresh)
    // A page that was left while asking could not tell other tabs, so this one does.
    const open = async () => {
      if (targetMessageId || isFurtherUp(id)) await openAtMessage(id, targetMessageId)
      await refresh()
      broadcastSessionChange(id)
    }
    void open()
    return subscribeToRefresh(id, refresh)
  }, [id, targetMessageId, chatbot])

  return {
    id,
    conversation,
    isTyping: Boolean(conversation && (conversation.sending || isTyping(conversation.messages))),
  }
}

/** Goes to the message in the address; without one, from an earlier message back to the end. */
async function openAtMessage(id: string, messageId: string | null): Promise<void> {
  const { jumpToMessage, jumpToNewest } = await import('./messagePages.ts')
  await (messageId ? jumpToMessage(id, messageId) : jumpToNewest(id))
}

/** Calls `refresh` when another tab has changed the session, or another device may have while this page was hidden. */
export function subscribeToRefresh(id: string, refresh: () => Promise<void>): () => void {
  const controller = new AbortController()
  const { signal } = controller
  const unsubscribe = subscribeToSessionChanges((sessId) => {
    if (sessId === id) void refresh()
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
