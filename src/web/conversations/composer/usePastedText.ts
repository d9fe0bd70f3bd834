import { useRef, useState } from 'react'

/** A long pasted text, held beside a field. `now` has the new value before the next render. */
export function usePastedText() {
  const [text, setText] = useState('')
  const latest = useRef('')
  const setPasted = (next: string) => {
    latest.current = next
    setText(next)
  }
  return { text, now: latest, set: setPasted }
}
