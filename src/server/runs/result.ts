import type { ErrorCode } from '#contract/errors.ts'
import type { Rejection } from '#contract/gateway/errors.ts'
import type { Prices } from '#server/core/prices.ts'
import type { JsonObject } from '#server/core/json.ts'
import type { Bill, Units } from '#server/ledger/ledger.ts'
import type { Attempt, PlatformFields, ToolCall } from '#server/llm/llm.ts'

/** What a feature tells the readers of a run beside its text; opaque to runs. */
export type RunNote = object

/** What a model wrote, or what there is of it. */
export type RunText = { text: string; reasoning: string }

/** What the execution of a run came to. */
export type RunResult = {
  state: 'done' | 'cancelled' | 'failed' | 'interrupted'
  /** Why, of one that failed or was interrupted. */
  code: ErrorCode | null
  /** Seconds after which another try may do better, where the platform of a failed run named them. Never stored. */
  retry_after?: number
  /** What the platform says is wrong with the request, where that is why it failed. */
  rejection?: Rejection
  /** The whole text: what readers saw and what is stored are the same. */
  text: string
  response: ResponseDetails
  /** Of a run that is no chat. */
  operation_output?: OperationOutput
  /** Its reader was given something, so it is charged for. */
  billable: boolean
  metered: MeteredUsage
  /** What is wrong with the usage that the platform reported, where it cannot be true. */
  flagged: string | null
  /** Who answered, and at which prices. */
  platform: string
  prices: Prices
  attempts: Attempt[]
  /** What the feature has to say of the text. */
  note?: RunNote
  /** The end of the text, which the stream log does not have yet. */
  unsaved_chunk?: Chunk
}

/** A run that is settled: what came of it and what it cost. */
export type SettledRun = {
  run_id: string
  /** The feature's own name for what the run was for. */
  subject_id: string
  result: RunResult
  /** Micro-coins. */
  charged: bigint
  timing: {
    /** Milliseconds from the start to the first text; null where that is unknown or none came. */
    first_text_ms: number | null
    /** The same to the last reasoning. */
    reasoning_ms: number | null
    /** The same to the end. */
    duration_ms: number | null
  }
}

/** What a response is beside its text. */
export type ResponseDetails = {
  reasoning: string
  /** The signed pieces of the reasoning, in order. */
  reasoning_blocks?: ReasoningBlock[]
  tool_calls: ToolCall[]
  /** Pictures that the model made: data URLs, or where the platform put them. */
  pictures?: string[]
  /** Of the tokens of the text, as OpenAI's API words them, where they were asked for. */
  logprobs?: JsonObject[]
  /** The end of the text, where the model says there that it will not answer. */
  refusal?: string
  /** Why it ended; null unless it came whole. */
  finish: string | null
  stop_sequence?: string
  /** What the text cites, in OpenAI's words. */
  annotations?: JsonObject[]
  platform_fields?: PlatformFields
  /** The answers after the first, where several were requested. */
  alternatives?: ({ text: string } & Omit<ResponseDetails, 'alternatives'>)[]
}

/** Reasoning that its platform signed, and its place: after so many characters of the text and so many tool calls. */
export type ReasoningBlock = {
  text: string
  signature: string
  redacted?: true
  chars: number
  calls: number
}

/** What an operation returned. `bytes` is null when there were more of them than were to be kept. */
export type OperationOutput =
  | { type: 'json'; answer: JsonObject }
  | { type: 'bytes'; media_type: string; bytes: Buffer | null }

/**
 * A piece of a run's text and reasoning as the stream log stores it; `seq` counts the pieces of the run. One that `repeats`
 * says again what all have said since the last such.
 */
export type Chunk = {
  run_id: string
  seq: number
  text: string
  replace: boolean
  reasoning: string
  repeats: boolean
}

/** What a bill is made from, and who counted it. */
export type MeteredUsage = Pick<Bill, 'tokens' | 'usage_source' | keyof Units>
