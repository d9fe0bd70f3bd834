import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { ChatSession } from '#contract/chat.ts'
import { chatText } from '../text/chat.ts'
import { isComposing } from '../ui/enterKey.ts'
import { fieldClass } from '../ui/Input.tsx'
import { MAX_TITLE_CHARS } from './limits.ts'
import { changeSession } from './sessions.ts'

type Props = {
  session: ChatSession
  /** `focus`: the person ended it by a key, and the focus goes back to the row. */
  onDone: (focus: boolean) => void
}

/** A conversation's title as a field: Enter or leaving it saves, Escape leaves things as they were. */
export function RenameField({ session: { id, title }, onDone }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [pending, setPending] = useState(false)
  const done = useRef(false)
  useEffect(() => {
    // The menu that led here gives the focus back to its button first.
    const frame = requestAnimationFrame(() => field.current?.select())
    return () => cancelAnimationFrame(frame)
  }, [])

  const end = async (save: boolean, focus: boolean) => {
    if (done.current) return
    const wanted = field.current?.value.trim() ?? ''
    if (save && wanted && wanted !== title) {
      done.current = true
      setPending(true)
      const changed = await changeSession(id, { title: wanted })
      setPending(false)
      done.current = changed
      if (!changed) return field.current?.focus()
    }
    done.current = true
    onDone(focus)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    void end(event.key === 'Enter', true)
  }
  return (
    <li className="px-0.5 py-px">
      <input
        ref={field}
        type="text"
        defaultValue={title}
        maxLength={MAX_TITLE_CHARS}
        readOnly={pending}
        aria-label={chatText.renameLabel(title)}
        enterKeyHint="done"
        autoComplete="off"
        onKeyDown={onKeyDown}
        onBlur={() => void end(true, false)}
        className={`${fieldClass} h-8.5 px-2.5! max-md:h-11`}
      />
    </li>
  )
}
