import type { ErrorCode } from '#contract/errors.ts'

/** One message of a prompt as every dialect understands it. */
export type PromptMessage = { role: 'system' | 'user' | 'assistant'; content: string }

/** What a run asks of an upstream. */
export type ChatRequest = {
  messages: PromptMessage[]
  /** Tokens; already capped by the model's limit and the balance. */
  max_tokens: number
  temperature?: number
}

/** Tokens. `cached` is part of `input`, `reasoning` part of `output`. */
export type Usage = {
  input: number
  output: number
  cached: number
  reasoning: number
  /** `counted`: the upstream reported none (or nonsense), so a tokenizer counted. */
  source: 'upstream' | 'counted'
}

/**
 * What an upstream says, in order. `replace` carries the whole text so far (models whose name contains farui send
 * cumulative chunks). Role and empty chunks are never yielded.
 */
export type ChatPart =
  | { type: 'delta'; text: string }
  | { type: 'replace'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'usage'; usage: Omit<Usage, 'source'> }
  /** The upstream reported a usage that cannot be true; it is not passed on: count instead, and mark the bill. */
  | { type: 'usage_flagged'; detail: string }
  /** Always the last part, and only of an answer that came whole. */
  | { type: 'finish'; reason: string }

/**
 * Milliseconds that each phase of an upstream call may take. `total_ms` ends what keeps itself alive without ever
 * finishing (comments count as a sign of life).
 */
export type Timeouts = { connect_ms: number; first_byte_ms: number; idle_ms: number; total_ms: number }

/** An upstream that failed. `code` is what the person is told; `detail` is for the operator's log only. */
export class UpstreamError extends Error {
  readonly code: ErrorCode
  readonly detail: string
  /** Seconds, from Retry-After. */
  readonly retry_after: number | null

  constructor(code: ErrorCode, detail: string, retry_after: number | null = null) {
    super(`${code}: ${detail}`)
    this.name = 'UpstreamError'
    this.code = code
    this.detail = detail
    this.retry_after = retry_after
  }
}
