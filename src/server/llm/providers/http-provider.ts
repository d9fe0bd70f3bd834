import { listSources } from '../chat-request.ts'
import type { StreamPart, OnPart } from '../stream-part.ts'
import { post } from '../transport/http.ts'
import type { BodyReader, ResponseHead } from '../transport/http.ts'
import { toJsonBody } from '../transport/streamed-body.ts'
import { UpstreamError } from '../upstream-error.ts'
import { ErrorResponseReader, redactKey } from './error-response.ts'
import type { Emit, Provider, StreamChat } from './provider.ts'
import { ResponseParser } from './response-parser.ts'

/** A provider that is reached over HTTP. */
export function createHttpProvider({ buildRequest, createParser }: Provider): StreamChat {
  return async (target, request, signal, onPart) => {
    const { api_key, timeouts } = target
    const { url, headers, body } = buildRequest(target, request)
    const parser = new ResponseParser(createParser(target))
    let errorReader: ErrorResponseReader | null = null
    const createReader = (head: ResponseHead): BodyReader => {
      if (head.status < 200 || head.status > 299) return (errorReader = new ErrorResponseReader(head))
      return new ChatReader(parser, onPart)
    }
    const options = {
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
      body: toJsonBody(JSON.stringify(body), listSources(request.messages)),
      timeouts,
      signal,
    }
    try {
      await post(url, options, createReader)
      if (!errorReader) await emitParsed((emit) => parser.end(emit), onPart)
    } catch (cause) {
      const isUpstreamError = cause instanceof UpstreamError
      // An error response needs no more than its status. A connection that broke after the whole response took nothing away.
      if (!isUpstreamError || !(errorReader || (parser.isComplete && /cut|timeout/.test(cause.code)))) {
        await emitParts(parser.getUsageParts(), onPart)
        throw isUpstreamError ? redactKey(cause, api_key) : cause
      }
      if (!errorReader) await emitParsed((emit) => parser.flush(emit), onPart)
    }
    if (errorReader) throw readError(errorReader, api_key)
    await emitParts(parser.getUsageParts(), onPart)
    // After the result of a tool there may be nothing left to say.
    await onPart(parser.getFinishPart(request.messages.at(-1)?.role === 'tool'))
  }
}

/** A class, since V8 makes a dictionary of a literal with a getter, which is slow to read. */
class ChatReader implements BodyReader {
  readonly #parser: ResponseParser
  readonly #onPart: OnPart

  constructor(parser: ResponseParser, onPart: OnPart) {
    this.#parser = parser
    this.#onPart = onPart
  }

  onData(bytes: Buffer): Promise<void> | void {
    return emitParsed((emit) => this.#parser.parse(bytes, emit), this.#onPart)
  }

  get done(): boolean {
    return this.#parser.isDone
  }
}

/** A function, since the type checker takes a variable that only a callback sets for null. */
const readError = (reader: ErrorResponseReader, apiKey: string): UpstreamError =>
  redactKey(reader.toError(), apiKey)

/** Emits the parts of `parse`. An error of `parse` is thrown after the parts before it were received. */
function emitParsed(parse: (emit: Emit) => void, onPart: OnPart): Promise<void> | void {
  const parts: StreamPart[] = []
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

/** Emits one part after the other, without a turn of the event loop where the receiver needs none. */
function emitParts(parts: readonly StreamPart[], onPart: OnPart, from = 0): Promise<void> | void {
  for (let index = from; index < parts.length; index++) {
    const pending = onPart(parts[index]!)
    if (pending) return pending.then(() => emitParts(parts, onPart, index + 1))
  }
}
