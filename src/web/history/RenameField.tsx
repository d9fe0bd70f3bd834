import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { isComposing } from '#web/ui/form/enterKey.ts'
import { fieldClass } from '#web/ui/form/Input.tsx'

type Props = {
  value: string
  label: string
  maxLength: number
  /** False where the new name was refused, which the person has been told. */
  onSave: (value: string) => Promise<boolean>
  /** `focus`: the person ended it by a key, and the focus goes back to what was renamed. */
  onClose: (focus: boolean) => void
}

/** A name as a field in its own place: Enter or leaving it saves, Escape leaves things as they were. */
export function RenameField({ value, label, maxLength, onSave, onClose }: Props) {
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
    const next = field.current?.value.trim() ?? ''
    if (save && next && next !== value) {
      isDone.current = true
      setPending(true)
      const changed = await onSave(next)
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
    <div className="px-0.5 py-px">
      <input
        ref={field}
        type="text"
        defaultValue={value}
        maxLength={maxLength}
        readOnly={pending}
        aria-label={label}
        enterKeyHint="done"
        autoComplete="off"
        onKeyDown={onKeyDown}
        onBlur={() => void finish(true, false)}
        className={`${fieldClass} h-8.5 px-2.5! max-md:h-11`}
      />
    </div>
  )
}
