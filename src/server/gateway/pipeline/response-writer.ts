import type { ErrorCode } from '#contract/errors.ts'
import type { Rejection } from '#contract/gateway/errors.ts'
import type { ChoicePart } from '#server/llm/llm.ts'
import type { OutputPart } from '#server/runs/runs.ts'
import type { CachedResult } from './cached-result.ts'

/** Writes one response as a stream; each call returns the text of whole events. */
export type ResponseWriter = {
  /** Empty for a part that the protocol cannot express. */
  writePart(part: OutputIncrement): string
  /** Writes the end of a response that came whole: the reason of its end, and its usage. */
  writeEnd(result: CachedResult): string
  /** Takes the place of an end. */
  writeError(code: ErrorCode, rejection?: Rejection): string
}

/** An addition to the output so far. */
export type OutputIncrement = Exclude<OutputPart, { type: 'replace' }>

/**
 * Turns an output into increments, also the output of a platform that sends its whole text so far, time and again. Sent text
 * cannot be taken back, so only text that continues it is sent.
 */
export function createIncrementReader() {
  /** The sent part of a text that comes as a whole. */
  let sentText = ''
  return {
    /** Returns the addition that a part makes; null when there is none. */
    toIncrement(part: OutputPart): OutputIncrement | null {
      if (part.type !== 'replace') return part
      if (!part.text.startsWith(sentText) || part.text === sentText) return null
      const text = part.text.slice(sentText.length)
      sentText = part.text
      return { type: 'delta', text }
    },

    /** Tells whether the sent text is the beginning of the final text. */
    isPrefixOf: (result: Pick<CachedResult, 'text'>): boolean =>
      sentText === '' || result.text.startsWith(sentText),
  }
}

/**
 * The parts of a whole output, in their order: reasoning without a signature comes before the rest; citations, pictures and
 * further answers come after it.
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
  const increments = [unsigned, ...parts].filter((part) => !('text' in part) || part.text !== '')
  const first = increments.find((part) => part.type === 'delta')
  if (first && logprobs) first.logprobs = logprobs
  if (annotations) increments.push({ type: 'annotations', annotations })
  return [...increments, ...pictures, ...toChoiceParts(alternatives)]
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
