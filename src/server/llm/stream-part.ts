import type { JsonObject } from '#server/core/json.ts'

/** Tokens. `cached` and `cache_write` are parts of `input`, `reasoning` of `output`. */
export type Usage = {
  input: number
  output: number
  cached: number
  reasoning: number
  /** Only for platforms that charge for writing to their cache. */
  cache_write?: number
  /** The part of `cache_write` that stays for an hour, which costs more. */
  cache_write_1h?: number
  /** Tokens of sound and of pictures, parts of `input` and `output`, where the platform reports them. */
  audio?: { input: number; output: number }
  image?: { input: number; output: number }
  /** Searches of the web that the platform made by itself. */
  searches?: number
}

/** A platform's fields about the call as a whole, in OpenAI's form. */
export type PlatformFields = { system_fingerprint?: string; service_tier?: string }

/**
 * A part of a streamed response, in order. `replace` carries the whole text so far (models whose name contains farui send
 * cumulative chunks). Roles and empty chunks are never emitted.
 */
export type StreamPart =
  /**
   * `raw`: the chunk as it came from an OpenAI-compatible platform, if it holds this part and nothing else. `logprobs`: those of
   * its tokens, in OpenAI's format, if they were requested. `refusal`: the model says that it will not answer, which OpenAI's API
   * keeps apart; it comes after all other text.
   */
  | { type: 'delta'; text: string; raw?: string; logprobs?: JsonObject[]; refusal?: true }
  | { type: 'replace'; text: string }
  | { type: 'reasoning'; text: string; raw?: string }
  /**
   * Opaque; the platform wants it back with the reasoning since the previous signature. `redacted`: it stands for reasoning
   * that is not shown.
   */
  | { type: 'signature'; signature: string; redacted?: true }
  /**
   * A piece of tool call number `index` of this response. `id`, `name` and `signature` come whole with its first piece, `id`
   * and `name` are empty after it; the `arguments` of all pieces joined are the call's.
   */
  | { type: 'tool_call'; index: number; id: string; name: string; arguments: string; signature?: string }
  /** A picture that the model made: a data URL, or the address where the platform put it. */
  | { type: 'picture'; url: string }
  | { type: 'usage'; usage: Usage }
  /**
   * The upstream reported a usage that cannot be true. It is not passed on: count instead, and mark the bill. `is_empty`: it
   * reported that nothing was used.
   */
  | { type: 'usage_flagged'; detail: string; is_empty?: true }
  /**
   * Always the last part, and only in a complete response. `reason`: `stop`, `length`, `tool_calls`, or another word of the
   * platform's own. `stop_sequence`: the sequence that ended it, if known.
   */
  | { type: 'finish'; reason: string; stop_sequence?: string; platform_fields?: PlatformFields }
  /** Citations in the text so far, in OpenAI's form. */
  | { type: 'annotations'; annotations: JsonObject[] }
  /** A part of an answer after the first, where several were requested. */
  | { type: 'choice'; index: number; part: ChoicePart }

/** A part of one of several answers. */
export type ChoicePart = Extract<
  StreamPart,
  { type: 'delta' | 'replace' | 'reasoning' | 'tool_call' | 'picture' | 'annotations' | 'finish' }
>

/** Receives the parts of a stream in order. Until a returned promise resolves, nothing more is read from the upstream. */
export type OnPart<Part = StreamPart> = (part: Part) => Promise<void> | void
