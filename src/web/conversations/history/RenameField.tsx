import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { isComposing } from '#web/ui/form/enterKey.ts'
import { fieldClass } from '#web/ui/form/Input.tsx'

type Props = {
  value: string
  label: string
  maxLength: number
  /** Resolves with false where the new name was refused; the person has then been told. */
  onSave: (value: string) => Promise<boolean>
  /** `focus`: a key ended the renaming, and the focus has to go back to the renamed item. */
  onClose: (focus: boolean) => void
}

/** A field that renames an item in its place: Enter or leaving the field saves, Escape cancels. */
export function RenameField({ value, label, maxLength, onSave, onClose }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [pending, setPending] = useState(false)
  const isDone = useRef(false)
  useEffect(() => {
    // The menu that opened this field gives the focus back to its button first.
    const frame = requestAnimationFrame(() => field.current?.select())
    return () => cancelAnimationFrame(frame)
  }, [])

  const finish = async (save: boolean, focus: boolean) => {
    if (isDone.current) return
    const next = field.current?.value.trim() ?? ''
    if (save && next && next !== value) {
      isDone.current = true
      setPending(true)
      const isSaved = await onSave(next)
      setPending(false)
      isDone.current = isSaved
      if (!isSaved) return field.current?.focus()
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
