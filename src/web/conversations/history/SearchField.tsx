import { Search, X } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { historyText } from '#web/text/history/history.ts'
import { useCommands } from '#web/conversations/commands/commands.ts'
import { isComposing } from '#web/ui/form/enterKey.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { fieldClass } from '#web/ui/form/Input.tsx'

/** Typing pause after which the search begins. */
const DEBOUNCE_MS = 200
const MAX_CHARS = 100

/** The search field above the conversations. It does not search during Chinese input, whose letters are not the word yet. */
export function SearchField({ onKeywords }: { onKeywords: (keywords: string) => void }) {
  const field = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isComposingRef = useRef(false)
  const [hasText, setFilled] = useState(false)
  useEffect(() => () => clearTimeout(timer.current), [])
  useCommands({ search: () => field.current?.focus() })

  const search = (delay: number) => {
    const value = field.current?.value ?? ''
    setFilled(value !== '')
    clearTimeout(timer.current)
    if (!isComposingRef.current) timer.current = setTimeout(() => onKeywords(value), value ? delay : 0)
  }
  const clear = () => {
    if (!field.current) return
    field.current.value = ''
    search(0)
    field.current.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposingRef.current || isComposing(event.nativeEvent)) return
    if (event.key === 'Enter') search(0)
    if (event.key !== 'Escape' || !hasText) return
    // The same key closes the drawer of a phone, so it first clears the field.
    event.preventDefault()
    event.stopPropagation()
    clear()
  }
  return (
    <div role="search" className="relative mt-1 px-0.5">
      <Search
        size={15}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3.5 -translate-y-1/2 text-ink3"
      />
      <input
        ref={field}
        type="text"
        enterKeyHint="search"
        autoComplete="off"
        aria-label={historyText.searchSessions}
        placeholder={historyText.searchSessions}
        maxLength={MAX_CHARS}
        onInput={() => search(DEBOUNCE_MS)}
        onCompositionStart={() => {
          isComposingRef.current = true
        }}
        onCompositionEnd={() => {
          isComposingRef.current = false
          search(DEBOUNCE_MS)
        }}
        onKeyDown={onKeyDown}
        className={`${fieldClass} h-9 border-line! bg-transparent! pr-9! pl-9! text-note! max-md:h-11 max-md:text-base!`}
      />
      {hasText && (
        <IconButton
          label={historyText.clearSearch}
          size="sm"
          onClick={clear}
          className="absolute! top-1/2 right-1.5 -translate-y-1/2 max-md:right-0.5"
        >
          <X size={15} aria-hidden />
        </IconButton>
      )}
    </div>
  )
}
