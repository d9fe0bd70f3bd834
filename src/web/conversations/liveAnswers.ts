import type { ChatMessage } from '#contract/chat.ts'
import { startTransition, useEffect, useState } from 'react'

/** What an answer has come to: its text, what was thought before it, and for how long. */
export type LiveAnswer = { text: string; reasoning: string; reasoning_ms: number | null }

/** The growing answers by message id, apart from the conversations: only their own rows follow them. */
const liveAnswers = new Map<string, LiveAnswer>()
const listeners = new Map<string, Set<() => void>>()

export function setLiveAnswer(id: string, live: LiveAnswer | null): void {
  if (live === null) liveAnswers.delete(id)
  else liveAnswers.set(id, live)
  for (const listener of listeners.get(id) ?? []) listener()
}

/** The text of an answer that grows now. */
export const getLiveText = (id: string): string | undefined => liveAnswers.get(id)?.text

/** Calls `listener` whenever an answer grows or is over. Returns the unsubscribe function. */
export function subscribeToLiveAnswer(id: string, listener: () => void): () => void {
  const subscribed = listeners.get(id) ?? new Set()
  listeners.set(id, subscribed.add(listener))
  return () => {
    subscribed.delete(listener)
    if (!subscribed.size) listeners.delete(id)
  }
}

/**
 * An answer while it grows, else what is stored of it. Updates are transitions: typing and scrolling come first. Its end is
 * none, so what has grown until then may be shown late: from the end on it is what is stored, which is whole.
 */
export function useLiveAnswer(stored: LiveAnswer & Pick<ChatMessage, 'id' | 'status'>): LiveAnswer {
  const { id, status } = stored
  const [live, setCurrent] = useState(() => liveAnswers.get(id))
  useEffect(() => {
    const update = () => startTransition(() => setCurrent(liveAnswers.get(id)))
    update()
    return subscribeToLiveAnswer(id, update)
  }, [id])
  return status === 'typing' ? (live ?? stored) : stored
}
