import type { ErrorCode } from '#contract/errors.ts'
import type { Rejection } from '#contract/gateway/errors.ts'
import type { Prices } from '#server/core/prices.ts'
import type { JsonObject } from '#server/core/json.ts'
import type { Units } from '#server/ledger/ledger.ts'
import type { Attempt, PlatformFields, ToolCall } from '#server/llm/llm.ts'
import type { Bill } from './bill.ts'

/** A feature's message to the readers of a run besides its text; opaque to runs. */
export type RunNote = object

/** A model's output, or the part of it available. */
export type RunText = { text: string; reasoning: string }

/** The outcome of a run's execution. */
export type RunResult = {
  state: 'done' | 'cancelled' | 'failed' | 'interrupted'
  /** The reason, for a failed or interrupted run. */
  code: ErrorCode | null
  /** Seconds after which a retry may succeed, if the platform of a failed run named them. Never stored. */
  retry_after?: number
  /** The platform's reason for refusing the request, if that is why the run failed. */
  rejection?: Rejection
  /** The whole text: readers saw the same as is stored. */
  text: string
  response: ResponseDetails
  /** The output of a run other than a chat. */
  operation_output?: OperationOutput
  /** The reader received something, so the run is charged. */
  billable: boolean
  metered: MeteredUsage
  /** The reason why the usage that the platform reported cannot be true. */
  flagged: string | null
  /** The platform that answered, and its prices. */
  platform: string
  prices: Prices
  attempts: Attempt[]
  /** The feature's note on the text. */
  note?: RunNote
  /** The end of the text, which the stream log does not have yet. */
  unsaved_chunk?: Chunk
}

/** A settled run: its outcome and its cost. */
export type SettledRun = {
  run_id: string
  /** The feature's own id of the run's purpose. */
  subject_id: string
  result: RunResult
  /** Micro-coins. */
  charged: bigint
  timing: {
    /** Milliseconds from the start to the first text; null if unknown, or without text. */
    first_text_ms: number | null
    /** The same up to the last reasoning. */
    reasoning_ms: number | null
    /** The same up to the end. */
    duration_ms: number | null
  }
}

/** A response without its text. */
export type ResponseDetails = {
  reasoning: string
  /** The signed pieces of the reasoning, in order. */
  reasoning_blocks?: ReasoningBlock[]
  tool_calls: ToolCall[]
  /** Pictures made by the model: data URLs, or the platform's addresses. */
  pictures?: string[]
  /** Log probabilities of the text's tokens in the format of OpenAI's API, if requested. */
  logprobs?: JsonObject[]
  /** The end of the text, where the model refuses to answer. */
  refusal?: string
  /** The reason for the end; null unless the response is complete. */
  finish: string | null
  stop_sequence?: string
  /** Sources cited by the text, in OpenAI's format. */
  annotations?: JsonObject[]
  platform_fields?: PlatformFields
  /** The answers after the first, where several were requested. */
  alternatives?: ({ text: string } & Omit<ResponseDetails, 'alternatives'>)[]
}

/** Reasoning signed by its platform, and its place: after so many characters of the text and so many tool calls. */
export type ReasoningBlock = {
  text: string
  signature: string
  redacted?: true
  chars: number
  calls: number
}

/** The output of an operation. `bytes` is null when there were more than were to be kept. */
export type OperationOutput =
  | { type: 'json'; answer: JsonObject }
  | { type: 'bytes'; media_type: string; bytes: Buffer | null }

/**
 * A piece of a run's text and reasoning in the stream log; `seq` counts the pieces of the run. One that `repeats` contains the
 * text of all pieces since the last such one.
 */
export type Chunk = {
  run_id: string
  seq: number
  text: string
  replace: boolean
  reasoning: string
  repeats: boolean
}

/** The usage that a bill is made from, and its source. */
export type MeteredUsage = Pick<Bill, 'tokens' | 'usage_source' | keyof Units>
