import {
  useConversations,
  PLACEHOLDER,
  getLiveText,
  subscribeToLiveAnswer,
} from '#web/conversations/conversations.ts'
import { startNarration, usePlayer, type Narration } from './player.ts'
import { splitSentences } from './sentences.ts'

let unsubscribeAll = (): void => {}

/** Returns the current state of the answer; null if no conversation contains it. */
function getNarration(key: string): (Narration & { id: string }) | null {
  const messages = Object.values(useConversations.getState().byId).flatMap(
    (conversation) => conversation.messages,
  )
  const message = messages.find((candidate) => candidate.key === key)
  if (!message) return null
  const isComplete = message.status !== 'typing'
  const text = getLiveText(message.id) ?? message.text
  return {
    key,
    id: message.id,
    isComplete,
    sentences: text === PLACEHOLDER ? [] : splitSentences(text, isComplete),
  }
}

/** Reads an answer aloud from its first sentence, also the text that arrives meanwhile. */
export function readAloud(key: string): void {
  unsubscribeAll()
  const initial = getNarration(key)
  if (!initial) return
  let { id } = initial
  const update = (): void => {
    const current = getNarration(key)
    if (!current || usePlayer.getState().narration?.key !== key) return unsubscribeAll()
    if (current.id !== id) resubscribe(current.id)
    startNarration(current)
    if (current.isComplete) unsubscribeAll()
  }
  let unsubscribeLive = subscribeToLiveAnswer(id, update)
  // The end of an answer is a change of its conversation.
  const unsubscribeStore = useConversations.subscribe(update)
  const resubscribe = (next: string): void => {
    unsubscribeLive()
    id = next
    unsubscribeLive = subscribeToLiveAnswer(next, update)
  }
  unsubscribeAll = () => {
    unsubscribeLive()
    unsubscribeStore()
  }
  startNarration(initial)
  if (initial.isComplete) unsubscribeAll()
}
