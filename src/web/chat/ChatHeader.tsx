import { lazyPart } from '../ui/lazyPart.tsx'
import { type Conversation, isDraft } from './conversation.ts'
import { ModelPicker } from './ModelPicker.tsx'
import type { Models } from './models.ts'
import { SettingsButton } from './SettingsButton.tsx'

const ExportMenu = lazyPart(() => import('./export/ExportMenu.tsx'), { quiet: true })
const ShareButton = lazyPart(() => import('../shares/ShareButton.tsx'), { quiet: true })

type Props = {
  id: string
  shown: Conversation | undefined
  choice: Models
  /** A draft was given its session. */
  onSession: (sess_id: string) => void
}

/** The chat's part of the top bar: the model, and what can be done with the conversation. */
export function ChatHeader({ id, shown, choice, onSession }: Props) {
  return (
    <>
      <ModelPicker choice={choice} conversation_id={id} />
      <div className="ml-auto flex items-center gap-1">
        {shown && !isDraft(id) && shown.turns.length > 0 && (
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
