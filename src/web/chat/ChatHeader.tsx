import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { type Conversation, isLocalConversation } from '#web/conversations/conversationStore.ts'
import { ModelPicker } from '#web/model-picker/ModelPicker.tsx'
import type { ModelChoice } from '#web/model-picker/modelChoice.ts'
import { SettingsButton } from '#web/session-settings/SettingsButton.tsx'

const ExportMenu = lazyComponent(() => import('#web/export/ExportMenu.tsx'), { silent: true })
const ShareButton = lazyComponent(() => import('../shares/ShareButton.tsx'), { silent: true })

type Props = {
  id: string
  conversation: Conversation | undefined
  modelChoice: ModelChoice
  /** A draft was given its session. */
  onSession: (sess_id: string) => void
}

/** The chat's part of the top bar: the model, and what can be done with the conversation. */
export function ChatHeader({ id, conversation, modelChoice, onSession }: Props) {
  return (
    <>
      <ModelPicker modelChoice={modelChoice} conversation_id={id} />
      <div className="ml-auto flex items-center gap-1">
        {conversation && !isLocalConversation(id) && conversation.messages.length > 0 && (
          <>
            <ShareButton sess_id={id} />
            <ExportMenu sess_id={id} />
          </>
        )}
        <SettingsButton id={id} onSession={onSession} />
      </div>
    </>
  )
}
