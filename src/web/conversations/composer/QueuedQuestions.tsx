import { Pencil, X } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { queueText } from '#web/text/attachments.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { joinPrompts, removeQueued, takeReturned } from './questionQueue.ts'
import { useQueue, type QueuedQuestion } from './queueStore.ts'

type Props = {
  conversationKey: string
  /** Puts questions into the field, above the text there, with their attachments. */
  onRestore: (prompt: string, attachments: QueuedQuestion['attachments']) => void
}

/** The questions that wait for the answer before them; each can be edited or removed. */
export default function QueuedQuestions({ conversationKey, onRestore }: Props) {
  const { questions, returned } = useQueue(conversationKey)
  const onReturned = useEffectEvent(() => {
    const back = takeReturned(conversationKey)
    if (back.length)
      onRestore(
        joinPrompts(back),
        back.flatMap(({ attachments }) => attachments),
      )
  })
  useEffect(() => onReturned(), [returned])
  if (!questions.length) return null
  return (
    <section aria-label={queueText.queue} className="border-b px-2 py-1.5">
      <h2 role="status" className="px-2.5 text-xs leading-6 text-ink2">
        {queueText.waiting(questions.length)}
      </h2>
      <ol className="max-h-40 overflow-y-auto">
        {questions.map(({ id, prompt, attachments }) => (
          <li key={id} className="flex items-center gap-1 rounded-lg pl-2.5 hover:bg-fill">
            <span className="min-w-0 flex-1 truncate text-note">{prompt}</span>
            <IconButton
              size="sm"
              label={queueText.edit}
              onClick={() => {
                removeQueued(conversationKey, id)
                onRestore(prompt, attachments)
              }}
            >
              <Pencil size={15} aria-hidden />
            </IconButton>
            <IconButton size="sm" label={queueText.remove} onClick={() => removeQueued(conversationKey, id)}>
              <X size={15} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ol>
    </section>
  )
}
