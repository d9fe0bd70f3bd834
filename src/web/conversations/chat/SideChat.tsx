import { SquarePen } from 'lucide-react'
import type { ReactNode } from 'react'
import { Composer } from '#web/conversations/composer/composer.tsx'
import { isWidget } from '#web/core/page.ts'
import { useUser } from '#web/core/user.ts'
import { toDraftKey } from '#web/conversations/conversations.ts'
import { ModelPicker } from '#web/conversations/model-picker/model-picker.tsx'
import { chatText } from '#web/text/chat.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { useChat } from './useChat.tsx'

type Props = {
  /** `block-{id}`, `zhiku-{uuid}`. */
  chatbot: string
  /** Null for a new conversation. */
  sess_id: string | null
  /** Renders a conversation without a message. */
  renderEmpty: (ask: (prompt: string) => void) => ReactNode
  onNew: () => void
  /** A copy of the conversation has to be shown. */
  onFork: (sessId: string) => void
  /** The new conversation has been given its session. */
  onSession?: (sessId: string) => void
  /**
   * Stands in the place of the model picker for an agent, which has its own model and documents. With null the whole line is left
   * out, and the page itself offers the new conversation.
   */
  heading?: ReactNode
}

const stayHere = () => {}

/** A conversation beside the document or the form of the agent that it is about. */
export function SideChat({
  chatbot,
  sess_id,
  renderEmpty,
  heading,
  onSession = stayHere,
  ...navigation
}: Props) {
  const hasOwnModel = heading !== undefined
  const isGuest = useUser() === null
  const chat = useChat({
    chatbot,
    sess_id,
    isGuest,
    isWebSearchOn: false,
    hasOwnModel,
    onSession,
    ...navigation,
  })
  const { id, conversation, isTyping, choice, actions, composer, isEmpty, renderMessages } = chat
  return (
    <>
      {heading !== null && (
        <div className="flex h-11 shrink-0 items-center px-2">
          {hasOwnModel ? heading : <ModelPicker modelChoice={choice} conversation_id={id} />}
          {!isEmpty && (
            <IconButton label={chatText.newSession} className="ml-auto" onClick={navigation.onNew}>
              <SquarePen size={17} aria-hidden />
            </IconButton>
          )}
        </div>
      )}
      {isEmpty ? renderEmpty(actions.ask) : renderMessages()}
      <div className="px-4 pb-4">
        <Composer
          ref={composer}
          draftKey={toDraftKey(id, chatbot)}
          conversationKey={conversation?.key ?? id}
          typing={isTyping}
          thinking={hasOwnModel ? null : (choice.model?.thinking ?? null)}
          web_search={false}
          label={
            isWidget() ? chatText.widgetLabel : hasOwnModel ? chatText.agentLabel : chatText.composerLabel
          }
          withoutFiles={hasOwnModel}
          onSend={actions.ask}
          onStop={actions.stop}
        />
      </div>
    </>
  )
}
