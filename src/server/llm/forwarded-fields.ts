import type { JsonObject } from '#server/core/json.ts'

const list = (names: string): readonly string[] => names.split(/\s+/)

/**
 * Fields of a caller's body that platforms get unchanged, by the API that they belong to: documented fields that change neither
 * the cost of a call nor its destination. A field that is neither here nor among a platform's own `fields` in MODELS_FILE is left
 * out: proxies and relays take fields that name another model, another server or another key.
 */
const FORWARDED_FIELDS = {
  /** https://platform.openai.com/docs/api-reference/chat/create, without the fields that the provider itself builds. */
  completion:
    list(`frequency_penalty presence_penalty logit_bias logprobs top_logprobs parallel_tool_calls verbosity user
    safety_identifier prompt_cache_key`),
  /** Fields of one of its messages, as far as the model's traits name them too. */
  completion_message: list('name refusal'),
  /** https://platform.claude.com/docs/en/api/messages/create, likewise; these come in Anthropic's own form. */
  message: list('tools tool_choice output_config metadata cache_control context_management'),
  /** https://platform.openai.com/docs/api-reference/embeddings/create */
  '/embeddings': list('input encoding_format dimensions user'),
  /** https://jina.ai/reranker, as other platforms have it too. */
  '/rerank': list('query documents top_n return_documents'),
  /** https://platform.openai.com/docs/api-reference/images/create */
  '/images/generations':
    list(`prompt n size quality style background moderation output_format output_compression
    response_format user`),
  /** https://platform.openai.com/docs/api-reference/audio/createSpeech */
  '/audio/speech': list('input voice response_format speed instructions stream_format'),
  /** https://platform.openai.com/docs/api-reference/audio/createTranscription */
  '/audio/transcriptions':
    list(`file language prompt temperature response_format timestamp_granularities[] include[]
    chunking_strategy known_speaker_names[] known_speaker_references[]`),
} satisfies Record<string, readonly string[]>

type Api = keyof typeof FORWARDED_FIELDS

/** Picks the fields that a platform gets from those that a caller sent. `platformFields` are the platform's own. */
export function pickForwardedFields(
  api: Api,
  fields: JsonObject,
  platformFields: readonly string[] = [],
): JsonObject {
  const picked: JsonObject = {}
  for (const names of [FORWARDED_FIELDS[api], platformFields]) {
    for (const name of names) {
      const value = Object.hasOwn(fields, name) ? fields[name] : null
      if (value !== null && value !== undefined) picked[name] = value
    }
  }
  return picked
}

/** Tells whether a platform gets a field of a form. */
export const isForwarded = (api: Api, name: string, platformFields: readonly string[]): boolean =>
  FORWARDED_FIELDS[api].includes(name) || platformFields.includes(name)
