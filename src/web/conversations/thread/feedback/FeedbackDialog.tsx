import { type FormEvent, useState } from 'react'
import type { Feedback } from '#contract/chat.ts'
import { getFeedbackModule, type Message } from '#web/conversations/conversations.ts'
import { feedbackText } from '#web/text/messages.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { FormField } from '#web/ui/form/FormField.tsx'
import { Textarea } from '#web/ui/form/Textarea.tsx'
import { toast } from '#web/ui/toast.ts'

type Reason = Feedback['reasons'][number]

// The contract's constant, copied to keep the schema library out of the bundle.
const MAX_CHARS = 500
const reasons = Object.keys(feedbackText.reason) as Reason[]

type Props = { open: boolean; message: Message; onClose: () => void }

/** Asks why an answer is bad. The rating is already saved, and this is added to it. */
export default function FeedbackDialog({ open, message, onClose }: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title={feedbackText.title}
      description={feedbackText.description}
    >
      <FeedbackForm message={message} onClose={onClose} />
    </Dialog>
  )
}

function FeedbackForm({ message, onClose }: Omit<Props, 'open'>) {
  const [chosenReasons, setChosenReasons] = useState<Reason[]>([])
  const [text, setText] = useState('')
  const toggle = (reason: Reason) =>
    setChosenReasons((now) => (now.includes(reason) ? now.filter((one) => one !== reason) : [...now, reason]))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    onClose()
    const { setFeedback } = await getFeedbackModule()
    if (await setFeedback(message, { rating: 'down', reasons: chosenReasons, text: text.trim() }))
      toast.success(feedbackText.done)
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <div role="group" aria-label={feedbackText.reasons} className="flex flex-wrap gap-1.5">
        {reasons.map((reason) => (
          <button
            key={reason}
            type="button"
            aria-pressed={chosenReasons.includes(reason)}
            onClick={() => toggle(reason)}
            className="h-8 rounded-full border px-3 text-note text-ink2 transition-colors hover:bg-fill aria-pressed:border-accent/35 aria-pressed:bg-accent-soft aria-pressed:text-accent max-md:h-11 max-md:px-4"
          >
            {feedbackText.reason[reason]}
          </button>
        ))}
      </div>
      <FormField label={feedbackText.text}>
        {(field) => (
          <Textarea
            {...field}
            rows={3}
            maxLength={MAX_CHARS}
            placeholder={feedbackText.textHint}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </FormField>
      <div className="flex justify-end gap-2">
        <Button variant="ghost" onClick={onClose}>
          {feedbackText.skip}
        </Button>
        <Button type="submit" variant="primary" disabled={!chosenReasons.length && !text.trim()}>
          {feedbackText.submit}
        </Button>
      </div>
    </form>
  )
}
