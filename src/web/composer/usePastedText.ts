import { useRef, useState } from 'react'

/** The long text that is held beside a field. `now` has it before the next render too. */
export function usePastedText() {
  const [text, setText] = useState('')
  const latest = useRef('')
  const setPasted = (next: string) => {
    latest.current = next
    setText(next)
  }
  return { text, now: latest, set: setPasted }
}
