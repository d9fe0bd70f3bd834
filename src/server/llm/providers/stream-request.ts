import { UpstreamError } from '../chat.ts'
import type { ChatPart, OnPart, Timeouts } from '../chat.ts'
import { post } from '../transport/http.ts'
import type { BodyReader, ResponseHead } from '../transport/http.ts'
import { ResponseParser } from './response-parser.ts'
import type { StreamParser } from './stream-parser.ts'
import { ErrorResponseReader, redactKey } from './error-response.ts'

/** Where a call goes. `base_url` has no slash at its end; an empty `api_key` sends none. */
export type ProviderTarget = {
  base_url: string
  api_key: string
  model: string
  /** Each chunk carries the whole text so far. */
  cumulative: boolean
  timeouts: Timeouts
}

/** A call as a dialect writes it, and how the dialect hears the answer. */
export type ProviderRequest = {
  url: string
  headers: Record<string, string>
  body: object
  parser: StreamParser
}

/**
 * Makes the call and says what it answers. Throws UpstreamError, or the signal's reason when the caller aborts. Usage
 * comes before the finish, which is always last; a broken answer gives what usage it reported.
 */
export async function streamProviderRequest(
  { url, headers, body, parser }: ProviderRequest,
  { api_key, timeouts }: ProviderTarget,
  signal: AbortSignal,
  onPart: OnPart,
): Promise<void> {
  const reader = new ResponseParser(parser)
  let error_reader: ErrorResponseReader | null = null
  const createReader = (head: ResponseHead): BodyReader => {
    if (head.status < 200 || head.status > 299) return (error_reader = new ErrorResponseReader(head))
    return {
      onData: (bytes) => emitParsed((emit) => reader.feed(bytes, emit), onPart),
      get done() {
        return reader.isDone
      },
    }
  }
  try {
    await post(
      url,
      {
        headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
        body: JSON.stringify(body),
        timeouts,
        signal,
      },
      createReader,
    )
    if (!error_reader) await emitParsed((emit) => reader.finishBody(emit), onPart)
  } catch (cause) {
    const isUpstreamError = cause instanceof UpstreamError
    // The status of a refusal says enough. A connection that broke or fell silent after all was said took nothing away.
    if (!isUpstreamError || !(error_reader || (reader.isComplete && /cut|timeout/.test(cause.code)))) {
      await emitParts(reader.getUsageParts(), onPart)
      throw isUpstreamError ? redactKey(cause, api_key) : cause
    }
  }
  if (error_reader) throw readError(error_reader, api_key)
  await emitParts(reader.getUsageParts(), onPart)
  await onPart(reader.getFinishPart())
}

/** A variable that only a callback sets is null for the type checker. */
const readError = (refused: ErrorResponseReader, api_key: string): UpstreamError =>
  redactKey(refused.toError(), api_key)

/** Hands on what `read` says. What it throws is thrown when all that was said before it is taken. */
function emitParsed(parse: (emit: (part: ChatPart) => void) => void, onPart: OnPart): Promise<void> | void {
  const parts: ChatPart[] = []
  try {
    parse((part) => parts.push(part))
  } catch (fault) {
    const pending = emitParts(parts, onPart)
    if (!pending) throw fault
    return pending.then(() => {
      throw fault
    })
  }
  return emitParts(parts, onPart)
}

/** Hands over one part after the other, without a turn of the event loop where the taker needs none. */
function emitParts(parts: readonly ChatPart[], onPart: OnPart): Promise<void> | void {
  for (const [index, part] of parts.entries()) {
    const pending = onPart(part)
    if (pending) return pending.then(() => emitParts(parts.slice(index + 1), onPart))
  }
}
