import type { ErrorCode } from '#contract/errors.ts'
import type { OutputPart } from '#server/runs/response-accumulator.ts'
import type { SettledRun } from '#server/runs/settle.ts'

/** Writes one response as a stream, each time as the text of whole events. */
export type ResponseWriter = {
  /** Empty where the protocol cannot express a part. */
  writePart(part: OutputIncrement): string
  /** The end of a response that came whole: why it ended, and its usage. */
  writeEnd(settled: SettledRun): string
  /** In place of an end. */
  writeError(code: ErrorCode): string
}

/** What is added to the output so far. */
export type OutputIncrement = Exclude<OutputPart, { type: 'replace' }>

/**
 * Turns an output into increments, also that of a platform that sends its whole text so far, time and again. What was sent
 * cannot be taken back: only what continues it is sent.
 */
export function createIncrementReader() {
  /** What was sent of a text that comes as a whole. */
  let sent = ''
  return {
    /** What a part adds; null when that is nothing. */
    toIncrement(part: OutputPart): OutputIncrement | null {
      if (part.type !== 'replace') return part
      if (!part.text.startsWith(sent) || part.text === sent) return null
      const text = part.text.slice(sent.length)
      sent = part.text
      return { type: 'delta', text }
    },

    /** Whether what was sent is the beginning of the final text. */
    isPrefixOf: (text: string): boolean => text.startsWith(sent),
  }
}

/** The parts of a whole output, in their order: reasoning without a signature comes before the rest. */
export function toIncrements({ outcome: { text }, said }: SettledRun): OutputIncrement[] {
  const { reasoning, tool_calls, thoughts = [] } = said
  const calls = tool_calls.map((call, index): OutputIncrement => ({ type: 'tool_call', index, ...call }))
  const signed = thoughts.reduce((length, thought) => length + thought.text.length, 0)
  const parts: OutputIncrement[] = []
  let position = { chars: 0, calls: 0 }
  for (const thought of [...thoughts, { chars: text.length, calls: calls.length }]) {
    parts.push({ type: 'delta', text: text.slice(position.chars, thought.chars) })
    parts.push(...calls.slice(position.calls, thought.calls))
    position = thought
    if (!('signature' in thought)) continue
    const { signature, redacted } = thought
    parts.push({ type: 'reasoning', text: thought.text })
    parts.push({ type: 'signature', signature, ...(redacted ? { redacted } : {}) })
  }
  const unsigned: OutputIncrement = { type: 'reasoning', text: reasoning.slice(signed) }
  return [unsigned, ...parts].filter((part) => !('text' in part) || part.text !== '')
}
