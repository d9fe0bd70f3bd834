import type { IncomingMessage, ServerResponse } from 'node:http'
import { newId } from '../core/clock.ts'

/** A request of the gateway and the answer to it. */
export type Exchange = {
  request: IncomingMessage
  response: ServerResponse
  /** Also in every answer, as `x-request-id`. */
  request_id: string
  /** Aborts when the client leaves before it has its answer. */
  gone: AbortSignal
  /** Fulfilled when nothing of the call is under way any more: it is answered or left, and its run has ended. */
  over: Promise<void>
}

export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  over: Promise<void>,
): Exchange {
  const request_id = newId()
  response.setHeader('x-request-id', request_id)
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return { request, response, request_id, gone: gone.signal, over }
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
