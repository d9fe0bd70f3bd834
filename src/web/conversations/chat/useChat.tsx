import { useRef } from 'react'
import { useThinking, type ComposerHandle } from '#web/conversations/composer/composer.tsx'
import { useWhileMounted } from '#web/core/useWhileMounted.ts'
import { isLocalConversation, reloadMessages, useConversation } from '#web/conversations/conversations.ts'
import { useModelChoice } from '#web/conversations/model-picker/model-picker.tsx'
import { Thread, ThreadError, ThreadSkeleton } from '#web/conversations/thread/thread.tsx'
import { useMessageActions } from './useMessageActions.ts'

type Options = {
  /** `block-{id}` or `zhiku-{uuid}`; the general assistant when absent. */
  chatbot?: string
  sess_id: string | null
  /** The message to show. */
  message_id?: string | null
  isGuest: boolean
  isWebSearchOn: boolean
  /** The chatbot has a model of its own. */
  hasOwnModel?: boolean
  /** The conversation has been given its session; not called when another one has taken its place. */
  onSession: (sessId: string) => void
  onFork: (sessId: string) => void
  onNew: () => void
}

/** A conversation with everything that a page needs to show it. */
export function useChat({
  chatbot = 'dati',
  sess_id,
  message_id = null,
  isGuest,
  isWebSearchOn,
  hasOwnModel = false,
  onFork,
  onNew,
  ...options
}: Options) {
  // A new conversation in its place is mounted anew, so a session that comes later is not for the page.
  const onSession = useWhileMounted(options.onSession)
  const { id, conversation, isTyping } = useConversation(sess_id, message_id, chatbot)
  const choice = useModelChoice(isGuest, id, !hasOwnModel)
  const thinking = choice.model?.thinking ?? null
  const composer = useRef<ComposerHandle>(null)
  const actions = useMessageActions({
    id,
    model: hasOwnModel ? null : (choice.model?.id ?? ''),
    isWebSearchOn,
    isThinkingOn: useThinking() && thinking === 'switch',
    composer,
    onSession,
    onFork,
    onNew,
  })
  const isEmpty = conversation
    ? !conversation.messages.length && !conversation.loading && !conversation.loadError
    : isLocalConversation(id)

  const renderMessages = () => {
    if (conversation?.loadError)
      return <ThreadError error={conversation.loadError} onRetry={() => void reloadMessages(id)} />
    if (!conversation || conversation.loading === 'first') return <ThreadSkeleton />
    return <Thread key={conversation.key} id={id} conversation={conversation} actions={actions} />
  }
  return { id, conversation, isTyping, choice, actions, composer, isEmpty, onSession, renderMessages }
}
