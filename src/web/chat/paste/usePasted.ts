import { useRef, useState } from 'react'

/** The long text that is held beside a field. `now` has it before the next picture too. */
export function usePasted() {
  const [text, setText] = useState('')
  const now = useRef('')
  const set = (next: string) => {
    now.current = next
    setText(next)
  }
  return { text, now, set }
}
