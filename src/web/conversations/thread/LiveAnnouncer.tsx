import { useEffect, useRef } from 'react'
import { PLACEHOLDER, useLiveAnswer, type Message } from '#web/conversations/conversations.ts'
import { nextAnnouncement } from './liveAnnouncement.ts'

/** How long words stay for a screen reader to pick up, ms; longer, and it would read them twice. */
const KEEP_MS = 10_000

/** Reads the growing answer to people who cannot see it: politely, paragraph by paragraph. */
export function LiveAnnouncer({ message }: { message: Message }) {
  const region = useRef<HTMLDivElement>(null)
  const announced = useRef({ key: '', to: 0 })
  const { text } = useLiveAnswer(message)
  const { key } = message
  const typing = message.role === 'ai' && message.status === 'typing'

  useEffect(() => {
    if (text === PLACEHOLDER || (!typing && announced.current.key !== key)) return
    if (announced.current.key !== key) announced.current = { key, to: 0 }
    const { words, to } = nextAnnouncement(text, announced.current.to, !typing)
    announced.current.to = to
    if (!words || !region.current) return
    const line = document.createElement('p')
    line.textContent = words
    region.current.append(line)
    setTimeout(() => line.remove(), KEEP_MS)
  }, [text, typing, key])

  return <div ref={region} role="log" aria-live="polite" className="sr-only" />
}
