import type { Dialect } from '../catalogue/schema.ts'
import { buildAnthropicRequest } from './anthropic/request.ts'
import { parseAnthropicStream } from './anthropic/stream.ts'
import { buildGeminiRequest } from './gemini/request.ts'
import { parseGeminiStream } from './gemini/stream.ts'
import { createHttpProvider } from './http-provider.ts'
import { buildLocalAnswer } from './local/request.ts'
import { streamLocalAnswer } from './local/stream.ts'
import { buildOpenaiRequest } from './openai/request.ts'
import { parseOpenaiStream } from './openai/stream.ts'
import type { StreamChat } from './provider.ts'

/** Every dialect of MODELS_FILE. A new one is a folder and a line here. */
export const PROVIDERS: Record<Dialect, StreamChat> = {
  openai: createHttpProvider({ buildRequest: buildOpenaiRequest, createParser: parseOpenaiStream }),
  anthropic: createHttpProvider({ buildRequest: buildAnthropicRequest, createParser: parseAnthropicStream }),
  gemini: createHttpProvider({ buildRequest: buildGeminiRequest, createParser: parseGeminiStream }),
  local: (_, request, signal, onPart) => streamLocalAnswer(buildLocalAnswer(request), signal, onPart),
}
