import { setTimeout as sleep } from 'node:timers/promises'
import type { OnPart } from '../../stream-part.ts'

const PIECE_CHARS = 6
const PIECE_INTERVAL_MS = 24

/**
 * Streams the answer of the in-process model of an installation without any platform: no network, no cost. It reports no
 * usage. Throws the signal's reason when the caller aborts.
 */
export async function streamLocalAnswer(answer: string, signal: AbortSignal, onPart: OnPart): Promise<void> {
  for (const text of splitIntoPieces(answer)) {
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
