import type { ChatMessage } from '#contract/chat.ts'
import { startTransition, useEffect, useState } from 'react'

/** The state of an answer that is being written: its text, the reasoning before it, and the duration of that. */
export type LiveAnswer = { text: string; reasoning: string; reasoning_ms: number | null }

/** Growing answers by message id, apart from the conversations, so that only their own rows render again. */
const liveAnswers = new Map<string, LiveAnswer>()
const listeners = new Map<string, Set<() => void>>()

export function setLiveAnswer(id: string, live: LiveAnswer | null): void {
  if (live === null) liveAnswers.delete(id)
  else liveAnswers.set(id, live)
  for (const listener of listeners.get(id) ?? []) listener()
}

/** The text of an answer that is being written. */
export const getLiveText = (id: string): string | undefined => liveAnswers.get(id)?.text

/** Calls `listener` whenever an answer grows or ends. Returns the unsubscribe function. */
export function subscribeToLiveAnswer(id: string, listener: () => void): () => void {
  const subscribed = listeners.get(id) ?? new Set()
  listeners.set(id, subscribed.add(listener))
  return () => {
    subscribed.delete(listener)
    if (!subscribed.size) listeners.delete(id)
  }
}

/**
 * A growing answer, else the stored one. Updates are transitions, so that typing and scrolling come first. The end is not one and
 * may overtake them; from then on the stored answer, which is complete, is shown.
 */
export function useLiveAnswer(storedAnswer: LiveAnswer & Pick<ChatMessage, 'id' | 'status'>): LiveAnswer {
  const { id, status } = storedAnswer
  const [live, setCurrent] = useState(() => liveAnswers.get(id))
  useEffect(() => {
    const update = () => startTransition(() => setCurrent(liveAnswers.get(id)))
    update()
    return subscribeToLiveAnswer(id, update)
  }, [id])
  return status === 'typing' ? (live ?? storedAnswer) : storedAnswer
}
