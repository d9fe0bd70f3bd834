import type { ErrorCode } from '#contract/errors.ts'
import type { Rejection } from '#contract/gateway/errors.ts'
import type { ChoicePart } from '#server/llm/llm.ts'
import type { OutputPart } from '#server/runs/runs.ts'
import type { CachedResult } from './cached-result.ts'

/** Writes one response as a stream, each time as the text of whole events. */
export type ResponseWriter = {
  /** Empty where the protocol cannot express a part. */
  writePart(part: OutputIncrement): string
  /** The end of a response that came whole: why it ended, and its usage. */
  writeEnd(result: CachedResult): string
  /** In place of an end. */
  writeError(code: ErrorCode, rejection?: Rejection): string
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
    isPrefixOf: (result: Pick<CachedResult, 'text'>): boolean => sent === '' || result.text.startsWith(sent),
  }
}

/**
 * The parts of a whole output, in their order: reasoning without a signature comes before the rest, what the text cites and
 * further answers after it.
 */
export function toIncrements({ text: wholeText, response }: CachedResult): OutputIncrement[] {
  const { reasoning, tool_calls, reasoning_blocks = [], logprobs, annotations, alternatives = [] } = response
  const { refusal = '' } = response
  const pictures = (response.pictures ?? []).map((url): OutputIncrement => ({ type: 'picture', url }))
  const calls = tool_calls.map((call, index): OutputIncrement => ({ type: 'tool_call', index, ...call }))
  const signed = reasoning_blocks.reduce((length, block) => length + block.text.length, 0)
  const text = wholeText.slice(0, wholeText.length - refusal.length)
  const parts: OutputIncrement[] = []
  let position = { chars: 0, calls: 0 }
  for (const block of [...reasoning_blocks, { chars: text.length, calls: calls.length }]) {
    parts.push({ type: 'delta', text: text.slice(position.chars, block.chars) })
    parts.push(...calls.slice(position.calls, block.calls))
    position = block
    if (!('signature' in block)) continue
    const { signature, redacted } = block
    parts.push({ type: 'reasoning', text: block.text })
    parts.push({ type: 'signature', signature, ...(redacted ? { redacted } : {}) })
  }
  const unsigned: OutputIncrement = { type: 'reasoning', text: reasoning.slice(signed) }
  parts.push({ type: 'delta', text: refusal, refusal: true })
  const written = [unsigned, ...parts].filter((part) => !('text' in part) || part.text !== '')
  const first = written.find((part) => part.type === 'delta')
  if (first && logprobs) first.logprobs = logprobs
  if (annotations) written.push({ type: 'annotations', annotations })
  return [...written, ...pictures, ...toChoiceParts(alternatives)]
}

const toChoiceParts = (
  alternatives: NonNullable<CachedResult['response']['alternatives']>,
): OutputIncrement[] =>
  alternatives.flatMap(({ text, reasoning, tool_calls, logprobs }, index) => {
    const parts: ChoicePart[] = [
      ...(reasoning ? [{ type: 'reasoning', text: reasoning } as const] : []),
      ...(text ? [{ type: 'delta', text, ...(logprobs ? { logprobs } : {}) } as const] : []),
      ...tool_calls.map((call, at) => ({ type: 'tool_call', index: at, ...call }) as const),
    ]
    return parts.map((part): OutputIncrement => ({ type: 'choice', index: index + 1, part }))
  })
