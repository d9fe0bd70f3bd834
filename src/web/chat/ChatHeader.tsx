import { ExportMenu } from '#web/export/export.ts'
import { ShareButton } from '#web/shares/shares.ts'
import { type Conversation, isLocalConversation } from '#web/conversations/conversations.ts'
import { ModelPicker, type ModelChoice } from '#web/model-picker/model-picker.tsx'
import { SettingsButton } from '#web/session-settings/session-settings.tsx'

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
