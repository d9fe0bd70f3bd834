import { useConversations } from '../chat/conversation.ts'
import { PLACEHOLDER } from '../chat/limits.ts'
import { liveText, watchLive } from '../chat/live.ts'
import { read, usePlayer, type Reading } from './player.ts'
import { sentencesOf } from './sentences.ts'

let silence = (): void => {}

/** The answer as it stands now; null when no conversation has it any more. */
function readingOf(key: string): (Reading & { id: string }) | null {
  const turns = Object.values(useConversations.getState().byId).flatMap((conversation) => conversation.turns)
  const turn = turns.find((some) => some.key === key)
  if (!turn) return null
  const whole = turn.status !== 'typing'
  const text = liveText(turn.id) ?? turn.text
  return { key, id: turn.id, whole, sentences: text === PLACEHOLDER ? [] : sentencesOf(text, whole) }
}

/** Reads an answer aloud, from its first sentence, and what is written of it meanwhile. */
export function readAnswer(key: string): void {
  silence()
  const first = readingOf(key)
  if (!first) return
  let { id } = first
  const follow = (): void => {
    const now = readingOf(key)
    if (!now || usePlayer.getState().reading?.key !== key) return silence()
    if (now.id !== id) rewatch(now.id)
    read(now)
    if (now.whole) silence()
  }
  let unwatch = watchLive(id, follow)
  // The end of an answer is a change of its conversation.
  const unsubscribe = useConversations.subscribe(follow)
  const rewatch = (next: string): void => {
    unwatch()
    id = next
    unwatch = watchLive(next, follow)
  }
  silence = () => {
    unwatch()
    unsubscribe()
  }
  read(first)
  if (first.whole) silence()
}
