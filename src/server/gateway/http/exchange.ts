import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorShape } from '#contract/gateway/errors.ts'
import { getLimitKey } from '#server/core/client-address.ts'
import { createId } from '#server/core/ids.ts'

/** A request of the gateway and the response to it. */
export type Exchange = {
  request: IncomingMessage
  response: ServerResponse
  /** Sent in every response as `x-request-id`, and as `request-id` where clients of Anthropic's API look for it. */
  request_id: string
  /** The API that the client speaks. */
  shape: ErrorShape
  /** The client's address; `limit_key` is the form of it that limits by address count. */
  address: string
  limit_key: string
  /** Aborts when the client disconnects before it has the whole response. */
  disconnect_signal: AbortSignal
  /** Fulfilled when nothing of the call is under way: its run has ended, its answer is delivered or abandoned. */
  finished: Promise<void>
}

export function createExchange({
  request,
  response,
  shape,
  address,
  finished,
}: Pick<Exchange, 'request' | 'response' | 'shape' | 'address' | 'finished'>): Exchange {
  const requestId = createId()
  response.setHeader('x-request-id', requestId)
  if (shape === 'anthropic') response.setHeader('request-id', requestId)
  const disconnect = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) disconnect.abort()
  })
  const limitKey = getLimitKey(address)
  const { signal: disconnectSignal } = disconnect
  return {
    request,
    response,
    request_id: requestId,
    shape,
    address,
    limit_key: limitKey,
    disconnect_signal: disconnectSignal,
    finished,
  }
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body))
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
  })
  response.end(bytes)
}
