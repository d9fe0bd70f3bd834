import { getRequestListener } from '@hono/node-server'
import { createServer } from 'node:http'
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import type { Capacity } from '#server/core/capacity.ts'
import type { Config } from '#server/core/config.ts'
import { handleRequests } from '#server/core/connections.ts'

/**
 * Longest time for a client to send a request, ms: a slice of an upload has 50 MB, and lines of 0.5 Mbit/s are in use. Other
 * requests have less time, and a body must also make progress (connections.ts).
 */
const TIMEOUTS = { headersTimeout: 15_000, requestTimeout: 1_200_000, connectionsCheckingInterval: 5_000 }
/** Longer than the minute after which usual proxies close an idle connection, so that the client closes it. */
const KEEP_ALIVE_MS = 75_000

/** Handles a request, or returns false. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => boolean

type Handlers = {
  fetch: Parameters<typeof getRequestListener>[0]
  /** Handlers that get requests before the app: the gateway, and the store of files. */
  handlers: RequestHandler[]
  isUpload: (request: IncomingMessage) => boolean
}

/** Creates the HTTP server and listens. Rejects when the address is taken. */
export function listen(
  { fetch, handlers, isUpload }: Handlers,
  { port, host, app_url }: Config,
  capacity: Capacity,
): Promise<HttpServer> {
  // The listener's own cleanup closes a connection half a second after the answer, even while its client is still sending.
  const app = getRequestListener(fetch, { autoCleanupIncoming: false })
  const isHttps = app_url.startsWith('https:')
  const server = createServer({ ...TIMEOUTS, keepAliveTimeout: KEEP_ALIVE_MS })
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    response.setHeader('X-Content-Type-Options', 'nosniff')
    if (isHttps) response.setHeader('Strict-Transport-Security', 'max-age=31536000')
    if (handlers.some((tryHandle) => tryHandle(request, response))) return
    // The gateway asks for bodies itself, but not for one that is too large.
    if (request.headers.expect !== undefined) response.writeContinue()
    // The rest of a refused body is discarded, so that the connection can carry the next request.
    response.once('finish', () => request.removeAllListeners('data').resume())
    void app(request, response)
  }
  handleRequests(server, { capacity, isUpload, onRequest })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}
