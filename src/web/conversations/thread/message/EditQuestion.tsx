import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { chatText } from '#web/text/chat.ts'
import { messagesText } from '#web/text/messages.ts'
import { Button } from '#web/ui/Button.tsx'
import { isComposing, isSendKey } from '#web/ui/form/enterKey.ts'
import { MAX_PROMPT_CHARS } from '#web/conversations/conversations.ts'

type Props = { text: string; busy: boolean; onSend: (prompt: string) => void; onCancel: () => void }

/** Edits a question. Enter sends it, as in the composer; Escape cancels. */
export default function EditQuestion({ text, busy, onSend, onCancel }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [value, setValue] = useState(text)
  const isTooLong = value.length > MAX_PROMPT_CHARS
  const canSend = !busy && !isTooLong && value.trim() !== ''
  useLayoutEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(text.length, text.length)
  }, [text])
  const send = () => {
    if (canSend) onSend(value)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isCancel = event.key === 'Escape' && !isComposing(event.nativeEvent)
    if (!isCancel && !isSendKey(event.nativeEvent)) return
    // Escape ends only the editing, not the answer being written.
    event.preventDefault()
    if (isCancel) onCancel()
    else send()
  }
  return (
    <div className="py-3">
      <div className="ml-auto w-full max-w-[85%] rounded-[18px] border border-line2 bg-raised p-2 transition-colors focus-within:border-ink3/60 max-md:max-w-full">
        <textarea
          ref={field}
          rows={2}
          value={value}
          aria-label={messagesText.editLabel}
          aria-describedby="edit-note"
          enterKeyHint="enter"
          aria-invalid={isTooLong || undefined}
          onChange={(event) => setValue(event.target.value)}
          onKeyDown={onKeyDown}
          className="block field-sizing-content max-h-80 min-h-16 w-full resize-none overflow-y-auto bg-transparent px-2 py-1 text-reading leading-7 outline-none max-md:text-base"
        />
        <div className="flex flex-wrap items-center justify-end gap-2 pt-1">
          <p id="edit-note" className="mr-auto px-2 text-xs text-ink3">
            {isTooLong ? chatText.tooLong(MAX_PROMPT_CHARS) : messagesText.editHint}
          </p>
          <Button size="sm" onClick={onCancel}>
            {messagesText.cancel}
          </Button>
          <Button size="sm" variant="primary" disabled={!canSend} onClick={send}>
            {messagesText.send}
          </Button>
        </div>
      </div>
    </div>
  )
}
