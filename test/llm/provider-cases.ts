import { parseAnthropicStream } from '#server/llm/providers/anthropic/stream.ts'
import { parseGeminiStream } from '#server/llm/providers/gemini/stream.ts'
import { parseOpenaiStream } from '#server/llm/providers/openai/stream.ts'
import type { StreamChat, StreamParser } from '#server/llm/providers/provider.ts'
import { PROVIDERS } from '#server/llm/providers/providers.ts'
import { anthropic } from '#test/world/upstream/anthropic.ts'
import { gemini } from '#test/world/upstream/gemini.ts'
import { openai } from '#test/world/upstream/openai.ts'
import type { ProtocolDouble } from '#test/world/upstream/script.ts'

/** A dialect for tests: our provider, the scripted upstream's double, and single events. */
export type ProviderCase = {
  stream: StreamChat
  createParser: () => StreamParser
  double: ProtocolDouble
  /** An event with this text. */
  delta: (text: string) => string
  /** The last events of a complete response. */
  end: string
  /** Errors inside a 200, and their codes. */
  errors: [error: object, code: string][]
}

const event = (body: object): string => `data: ${JSON.stringify(body)}\n\n`

export const PROVIDER_CASES: Record<string, ProviderCase> = {
  openai: {
    stream: PROVIDERS.openai,
    createParser: () => parseOpenaiStream({ cumulative: false }),
    double: openai,
    delta: (content) => event({ choices: [{ delta: { content } }] }),
    end: `${event({ choices: [{ finish_reason: 'stop' }] })}data: [DONE]\n\n`,
    errors: [
      [{ error: { message: 'x' } }, 'upstream_failed'],
      [{ error: { code: '429' } }, 'upstream_rate_limited'],
      [{ error: { code: 'rate_limit_exceeded' } }, 'upstream_rate_limited'],
      [{ error: { type: 'invalid_request_error' } }, 'request_rejected'],
      [{ error: { code: 'invalid_api_key' } }, 'upstream_rejected'],
    ],
  },
  anthropic: {
    stream: PROVIDERS.anthropic,
    createParser: parseAnthropicStream,
    double: anthropic,
    delta: (text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    end:
      event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }) +
      event({ type: 'message_stop' }),
    errors: [
      [{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'upstream_overloaded'],
      [{ type: 'error', error: { type: 'rate_limit_error' } }, 'upstream_rate_limited'],
      [{ type: 'error', error: { type: 'api_error' } }, 'upstream_failed'],
      [{ type: 'error', error: { type: 'invalid_request_error' } }, 'request_rejected'],
      [{ type: 'error', error: { type: 'authentication_error' } }, 'upstream_rejected'],
    ],
  },
  gemini: {
    stream: PROVIDERS.gemini,
    createParser: parseGeminiStream,
    double: gemini,
    delta: (text) => event({ candidates: [{ content: { role: 'model', parts: [{ text }] } }] }),
    end: event({ candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }] }),
    errors: [
      [{ error: { code: 503, status: 'UNAVAILABLE' } }, 'upstream_failed'],
      [{ error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }, 'upstream_rate_limited'],
      [{ error: { code: 400, status: 'INVALID_ARGUMENT' } }, 'request_rejected'],
    ],
  },
}
