import { clsx } from 'clsx'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState } from 'react'
import { getFeedbackModule, type Message } from '#web/conversations/conversations.ts'
import { feedbackText } from '#web/text/messages.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { withModule } from '#web/ui/lazy/withModule.ts'

const FeedbackDialog = lazyComponent(() => import('./FeedbackDialog.tsx'), {
  getOnClose: ({ open, onClose }) => open && onClose,
})

/** Rates an answer. A rating is saved at once; a bad one can be explained, and either one withdrawn. */
export function FeedbackButtons({ message }: { message: Message }) {
  const [dialog, setDialog] = useState({ open: false, wasOpened: false })
  const rating = message.feedback?.rating
  const rate = (next: 'up' | 'down') => {
    const feedback = rating === next ? null : { rating: next, reasons: [], text: '' }
    if (feedback?.rating === 'down') setDialog({ open: true, wasOpened: true })
    void withModule(getFeedbackModule, ({ setFeedback }) => setFeedback(message, feedback))
  }
  return (
    <>
      {(['up', 'down'] as const).map((name) => {
        const Icon = name === 'up' ? ThumbsUp : ThumbsDown
        return (
          <IconButton
            key={name}
            size="sm"
            label={feedbackText[name]}
            aria-pressed={rating === name}
            onClick={() => rate(name)}
          >
            <Icon size={16} aria-hidden className={clsx(rating === name && 'fill-accent-soft text-accent')} />
          </IconButton>
        )
      })}
      {dialog.wasOpened && (
        <FeedbackDialog
          open={dialog.open}
          message={message}
          onClose={() => setDialog({ open: false, wasOpened: true })}
        />
      )}
    </>
  )
}
