import { useEffect, useRef } from 'react'
import { PLACEHOLDER } from './limits.ts'
import { useLive } from './live.ts'
import { spoken } from './spoken.ts'
import type { Turn } from './turns.ts'

/** How long words stay for a screen reader to take them over; then they would only be read twice. */
const STAY_MS = 10_000

/** Reads the answer that is being written to those who cannot see it: politely, paragraph by paragraph. */
export function Spoken({ turn }: { turn: Turn }) {
  const place = useRef<HTMLDivElement>(null)
  const said = useRef({ key: '', to: 0 })
  const { text } = useLive(turn)
  const { key } = turn
  const typing = turn.role === 'ai' && turn.status === 'typing'

  useEffect(() => {
    if (text === PLACEHOLDER || (!typing && said.current.key !== key)) return
    if (said.current.key !== key) said.current = { key, to: 0 }
    const { words, to } = spoken(text, said.current.to, !typing)
    said.current.to = to
    if (!words || !place.current) return
    const line = document.createElement('p')
    line.textContent = words
    place.current.append(line)
    setTimeout(() => line.remove(), STAY_MS)
  }, [text, typing, key])

  return <div ref={place} role="log" aria-live="polite" className="sr-only" />
}
