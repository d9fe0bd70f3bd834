import type { Ended } from '../runs/finish.ts'
import type { Spoken } from '../runs/heard.ts'

/** What is added to what was said before. */
export type Increment = Exclude<Spoken, { type: 'replace' }>

/**
 * An answer as increments, also of a platform that sends its whole text so far, time and again. What was sent cannot be
 * taken back: only what goes on from there is sent.
 */
export function openIncrements() {
  /** What was sent of a text that comes as a whole. */
  let sent = ''
  return {
    /** What a part adds; null when that is nothing. */
    of(part: Spoken): Increment | null {
      if (part.type !== 'replace') return part
      if (!part.text.startsWith(sent) || part.text === sent) return null
      const text = part.text.slice(sent.length)
      sent = part.text
      return { type: 'delta', text }
    },

    /** Whether what was sent is the beginning of the text that stands in the end. */
    holds: (text: string): boolean => text.startsWith(sent),
  }
}

/** The parts of an answer that was kept. */
export function partsOf({ outcome: { text }, said: { reasoning, tool_calls } }: Ended): Increment[] {
  const spoken: Increment[] = [
    { type: 'reasoning', text: reasoning },
    { type: 'delta', text },
  ]
  return [
    ...spoken.filter((part) => !('text' in part) || part.text !== ''),
    ...tool_calls.map((call, index): Increment => ({ type: 'tool_call', index, ...call })),
  ]
}
