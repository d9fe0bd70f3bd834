import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { useCommands } from '#web/conversations/commands/commands.ts'
import { type Conversation, isLocalConversation } from '#web/conversations/conversations.ts'
import { ModelPicker, type ModelChoice } from '#web/conversations/model-picker/model-picker.tsx'
import { SessionActions } from '#web/conversations/session-actions/session-actions.tsx'
import { SettingsDialog } from '#web/conversations/session-settings/session-settings.ts'
import { chatText } from '#web/text/chat.ts'
import { ActionButton } from '#web/ui/layout/ActionButton.tsx'

type Props = {
  id: string
  conversation: Conversation | undefined
  modelChoice: ModelChoice
  /** The draft has been given its session. */
  onSession: (sessId: string) => void
}

/** The chat's part of the top bar: the model, and the menu of the conversation. */
export function ChatHeader({ id, conversation, modelChoice, onSession }: Props) {
  const [isOpen, setIsOpen] = useState<boolean | null>(null)
  const openSettings = () => setIsOpen(true)
  useCommands({ settings: openSettings })
  const settings = { label: chatText.settings, icon: SlidersHorizontal, onSelect: openSettings }
  const hasMessages = conversation && !isLocalConversation(id) && conversation.messages.length > 0
  return (
    <>
      <ModelPicker modelChoice={modelChoice} conversation_id={id} />
      <div className="ml-auto flex shrink-0 items-center gap-1">
        {hasMessages ? <SessionActions sess_id={id} after={[settings]} /> : <ActionButton {...settings} />}
      </div>
      {/* Out of the top bar: a dialog is no part of the page's banner. */}
      {isOpen !== null &&
        createPortal(
          <SettingsDialog id={id} open={isOpen} onOpenChange={setIsOpen} onSession={onSession} />,
          document.body,
        )}
    </>
  )
}
