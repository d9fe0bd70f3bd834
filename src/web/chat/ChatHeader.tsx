import { lazy, Suspense } from 'react'
import { type Conversation, isDraft } from './conversation.ts'
import { ModelPicker } from './ModelPicker.tsx'
import type { Models } from './models.ts'
import { SettingsButton } from './SettingsButton.tsx'

const ExportMenu = lazy(() => import('./export/ExportMenu.tsx'))
const ShareButton = lazy(() => import('../shares/ShareButton.tsx'))

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
          <Suspense>
            <ShareButton sess_id={id} />
            <ExportMenu sess_id={id} />
          </Suspense>
        )}
        <SettingsButton id={id} onSession={onSession} />
      </div>
    </>
  )
}
