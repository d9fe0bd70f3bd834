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

/** The parts of an answer that is whole, in their order: what is not signed of its reasoning stands before the rest. */
export function partsOf({ outcome: { text }, said }: Ended): Increment[] {
  const { reasoning, tool_calls, thoughts = [] } = said
  const calls = tool_calls.map((call, index): Increment => ({ type: 'tool_call', index, ...call }))
  const signed = thoughts.reduce((length, thought) => length + thought.text.length, 0)
  const parts: Increment[] = []
  let at = { chars: 0, calls: 0 }
  for (const thought of [...thoughts, { chars: text.length, calls: calls.length }]) {
    parts.push({ type: 'delta', text: text.slice(at.chars, thought.chars) })
    parts.push(...calls.slice(at.calls, thought.calls))
    at = thought
    if (!('signature' in thought)) continue
    const { signature, redacted } = thought
    parts.push({ type: 'reasoning', text: thought.text })
    parts.push({ type: 'signature', signature, ...(redacted ? { redacted } : {}) })
  }
  const unsigned: Increment = { type: 'reasoning', text: reasoning.slice(signed) }
  return [unsigned, ...parts].filter((part) => !('text' in part) || part.text !== '')
}
