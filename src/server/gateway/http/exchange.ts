import type { IncomingMessage, ServerResponse } from 'node:http'
import { createId } from '#server/core/ids.ts'

/** A request of the gateway and the answer to it. */
export type Exchange = {
  request: IncomingMessage
  response: ServerResponse
  /** Also in every answer, as `x-request-id`. */
  request_id: string
  /** Aborts when the client leaves before it has its answer. */
  disconnect_signal: AbortSignal
  /** Fulfilled when nothing of the call is under way any more: it is answered or left, and its run has ended. */
  finished: Promise<void>
}

export function createExchange(
  request: IncomingMessage,
  response: ServerResponse,
  finished: Promise<void>,
): Exchange {
  const request_id = createId()
  response.setHeader('x-request-id', request_id)
  const disconnect = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) disconnect.abort()
  })
  return { request, response, request_id, disconnect_signal: disconnect.signal, finished }
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
