import { useEffect, useLayoutEffect, useRef } from 'react'
import { drafts } from './browserDrafts.ts'
import { takeQuestion } from './keptQuestion.ts'

const PAUSE_MS = 250

type Options = {
  /** Where the draft is kept: a session, or NEW_CHAT. */
  place: string
  /** Stays the same when a new conversation gets its session: what was being written goes with it. */
  conversation: string
  read: () => string
  /** Shows a kept draft. */
  show: (text: string) => void
}

/** Keeps what is written in a field, conversation by conversation. Returns what to call on each change and on sending. */
export function useDraft({ place, conversation, read, show }: Options) {
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const at = useRef({ place, conversation })

  const keep = () => {
    if (waiting.current === undefined) return
    clearTimeout(waiting.current)
    waiting.current = undefined
    drafts.write(at.current.place, read())
  }
  // Before the picture changes: a kept draft is never seen to arrive.
  useLayoutEffect(() => {
    const moved = at.current.conversation === conversation && at.current.place !== place
    if (moved) {
      const text = read()
      drafts.write(at.current.place, '')
      at.current = { place, conversation }
      if (text) drafts.write(place, text)
      return keep
    }
    at.current = { place, conversation }
    const question = takeQuestion()
    if (question) drafts.write(place, question)
    show(question || drafts.read(place))
    return keep
  }, [place, conversation])
  const drop = () => {
    clearTimeout(waiting.current)
    waiting.current = undefined
    show('')
  }
  useEffect(() => drafts.onForget(drop), [])
  useEffect(() => {
    addEventListener('pagehide', keep)
    return () => removeEventListener('pagehide', keep)
  }, [])

  return {
    changed: () => {
      waiting.current ??= setTimeout(keep, PAUSE_MS)
    },
    sent: (text: string) => {
      clearTimeout(waiting.current)
      waiting.current = undefined
      drafts.sent(at.current.place, text)
    },
  }
}
