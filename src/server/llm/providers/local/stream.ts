import { setTimeout as sleep } from 'node:timers/promises'
import { getContentText } from '../../chat.ts'
import type { ChatRequest, OnPart } from '../../chat.ts'
import { buildDemoAnswer } from './demo-answer.ts'

const PIECE_CHARS = 6
const PIECE_INTERVAL_MS = 24

/**
 * The in-process stand-in of an installation without any platform: no network, no cost, honest about what it is. It
 * reports no usage. Throws the signal's reason when the caller aborts.
 */
export async function streamLocal(request: ChatRequest, signal: AbortSignal, onPart: OnPart): Promise<void> {
  const question = getContentText(request.messages.findLast(({ role }) => role === 'user')?.content ?? '')
  for (const text of splitIntoPieces(buildDemoAnswer(question))) {
    try {
      await sleep(PIECE_INTERVAL_MS, undefined, { signal })
    } catch {
      signal.throwIfAborted()
    }
    await onPart({ type: 'delta', text })
  }
  await onPart({ type: 'finish', reason: 'stop' })
}

/** Small pieces that never split a character. */
function splitIntoPieces(text: string): string[] {
  const characters = Array.from(text)
  return Array.from({ length: Math.ceil(characters.length / PIECE_CHARS) }, (_, index) =>
    characters.slice(index * PIECE_CHARS, (index + 1) * PIECE_CHARS).join(''),
  )
}
