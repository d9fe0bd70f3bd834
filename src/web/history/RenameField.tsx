import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { ChatSession } from '#contract/chat.ts'
import { historyText } from '#web/text/history.ts'
import { isComposing } from '#web/ui/form/enterKey.ts'
import { fieldClass } from '#web/ui/form/Input.tsx'
import { MAX_TITLE_CHARS, updateSession } from '#web/conversations/conversations.ts'

type Props = {
  session: ChatSession
  /** `focus`: the person ended it by a key, and the focus goes back to the row. */
  onClose: (focus: boolean) => void
}

/** A conversation's title as a field: Enter or leaving it saves, Escape leaves things as they were. */
export function RenameField({ session: { id, title }, onClose }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [pending, setPending] = useState(false)
  const isDone = useRef(false)
  useEffect(() => {
    // The menu that led here gives the focus back to its button first.
    const frame = requestAnimationFrame(() => field.current?.select())
    return () => cancelAnimationFrame(frame)
  }, [])

  const finish = async (save: boolean, focus: boolean) => {
    if (isDone.current) return
    const nextTitle = field.current?.value.trim() ?? ''
    if (save && nextTitle && nextTitle !== title) {
      isDone.current = true
      setPending(true)
      const changed = await updateSession(id, { title: nextTitle })
      setPending(false)
      isDone.current = changed
      if (!changed) return field.current?.focus()
    }
    isDone.current = true
    onClose(focus)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    void finish(event.key === 'Enter', true)
  }
  return (
    <li className="px-0.5 py-px">
      <input
        ref={field}
        type="text"
        defaultValue={title}
        maxLength={MAX_TITLE_CHARS}
        readOnly={pending}
        aria-label={historyText.renameLabel(title)}
        enterKeyHint="done"
        autoComplete="off"
        onKeyDown={onKeyDown}
        onBlur={() => void finish(true, false)}
        className={`${fieldClass} h-8.5 px-2.5! max-md:h-11`}
      />
    </li>
  )
}
