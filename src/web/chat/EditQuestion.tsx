import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { chatText } from '../text/chat.ts'
import { turnsText } from '../text/turns.ts'
import { Button } from '../ui/Button.tsx'
import { isComposing, sends } from '../ui/enterKey.ts'
import { MAX_PROMPT_CHARS } from './limits.ts'

type Props = { text: string; busy: boolean; onSend: (prompt: string) => void; onCancel: () => void }

/** A question being put in other words. Enter sends it, Escape leaves it as it was. */
export default function EditQuestion({ text, busy, onSend, onCancel }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [value, setValue] = useState(text)
  const long = value.length > MAX_PROMPT_CHARS
  const ready = !busy && !long && value.trim() !== ''
  useLayoutEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(text.length, text.length)
  }, [text])
  const send = () => {
    if (ready) onSend(value)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const cancels = event.key === 'Escape' && !isComposing(event.nativeEvent)
    if (!cancels && !sends(event.nativeEvent)) return
    // Escape ends the editing here, not the answer that is being written.
    event.preventDefault()
    if (cancels) onCancel()
    else send()
  }
  return (
    <div className="py-3">
      <div className="ml-auto w-full max-w-[85%] rounded-[18px] border border-line2 bg-raised p-2 transition-colors focus-within:border-ink3/60 max-md:max-w-full">
        <textarea
          ref={field}
          rows={2}
          value={value}
          aria-label={turnsText.editLabel}
          aria-describedby="edit-note"
          aria-invalid={long || undefined}
          onChange={(event) => setValue(event.target.value)}
          onKeyDown={onKeyDown}
          className="block field-sizing-content max-h-80 min-h-16 w-full resize-none overflow-y-auto bg-transparent px-2 py-1 text-[15px] leading-7 outline-none max-md:text-base"
        />
        <div className="flex flex-wrap items-center justify-end gap-2 pt-1">
          <p id="edit-note" className="mr-auto px-2 text-xs text-ink3">
            {long ? chatText.tooLong(MAX_PROMPT_CHARS) : turnsText.editHint}
          </p>
          <Button size="sm" onClick={onCancel}>
            {turnsText.cancel}
          </Button>
          <Button size="sm" variant="primary" disabled={!ready} onClick={send}>
            {turnsText.send}
          </Button>
        </div>
      </div>
    </div>
  )
}
