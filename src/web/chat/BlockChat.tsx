import { SquarePen } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Composer } from '#web/composer/composer.tsx'
import { isLocalConversation, updateConversation } from '#web/conversations/conversations.ts'
import { ModelPicker } from '#web/model-picker/model-picker.tsx'
import { chatText } from '#web/text/chat.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { useChat } from './useChat.tsx'

type Props = {
  /** `block-{id}`. */
  chatbot: string
  /** Null: a new conversation. */
  sess_id: string | null
  /** What a conversation without a message shows. */
  renderEmpty: (ask: (prompt: string) => void) => ReactNode
  onNew: () => void
}

const stayHere = () => {}

/** A conversation about a document, beside it. */
export function BlockChat({ chatbot, sess_id, renderEmpty, onNew }: Props) {
  const chat = useChat({ sess_id, isGuest: false, isWebSearchOn: false, onSession: stayHere })
  const { id, conversation, isTyping, choice, actions, composer, isEmpty, renderMessages } = chat
  useEffect(() => updateConversation(id, { chatbot }), [id, chatbot])
  return (
    <>
      <div className="flex h-11 shrink-0 items-center px-2">
        <ModelPicker modelChoice={choice} conversation_id={id} />
        {!isEmpty && (
          <IconButton label={chatText.newSession} className="ml-auto" onClick={onNew}>
            <SquarePen size={17} aria-hidden />
          </IconButton>
        )}
      </div>
      {isEmpty ? renderEmpty(actions.ask) : renderMessages()}
      <div className="px-4 pb-4">
        <Composer
          ref={composer}
          draftKey={isLocalConversation(id) ? chatbot : id}
          conversationKey={conversation?.key ?? id}
          typing={isTyping}
          thinking={choice.model?.thinking ?? null}
          web_search={false}
          onSend={actions.ask}
          onStop={actions.stop}
        />
      </div>
    </>
  )
}
