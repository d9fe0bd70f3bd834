import { setTimeout as sleep } from 'node:timers/promises'
import { textOf } from '../chat.ts'
import type { ChatRequest, Take } from '../chat.ts'
import { localAnswer } from './local-answer.ts'

const PIECE_CHARS = 6
const PACE_MS = 24

/**
 * The in-process stand-in of an installation without any platform: no network, no cost, honest about what it is. It
 * reports no usage. Throws the signal's reason when the caller aborts.
 */
export async function streamLocal(request: ChatRequest, signal: AbortSignal, take: Take): Promise<void> {
  const question = textOf(request.messages.findLast(({ role }) => role === 'user')?.content ?? '')
  for (const text of pieces(localAnswer(question))) {
    try {
      await sleep(PACE_MS, undefined, { signal })
    } catch {
      signal.throwIfAborted()
    }
    await take({ type: 'delta', text })
  }
  await take({ type: 'finish', reason: 'stop' })
}

/** Small pieces that never split a character. */
function pieces(text: string): string[] {
  const characters = Array.from(text)
  return Array.from({ length: Math.ceil(characters.length / PIECE_CHARS) }, (_, nth) =>
    characters.slice(nth * PIECE_CHARS, (nth + 1) * PIECE_CHARS).join(''),
  )
}
