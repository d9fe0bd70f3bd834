import type { IncomingMessage, ServerResponse } from 'node:http'

/** Headers of responses that scripts of other origins may read (https://fetch.spec.whatwg.org/#http-responses). */
const EXPOSED_HEADERS = [
  'x-request-id',
  'request-id',
  'retry-after',
  'x-should-retry',
  'x-transaction-id',
  ...['requests', 'tokens'].flatMap((kind) =>
    ['limit', 'remaining', 'reset'].flatMap((figure) => [
      `x-ratelimit-${figure}-${kind}`,
      `anthropic-ratelimit-${kind}-${figure}`,
    ]),
  ),
].join(', ')
/** Time that a browser may keep a preflight's answer, seconds: Chromium's maximum. */
const PREFLIGHT_MAX_AGE_S = 7_200

/**
 * Lets scripts of any origin read the response. Calls are made with a key, and no cookie is read here or allowed: a page can do
 * no more than any other program with that key.
 */
export function allowAnyOrigin({ headers }: IncomingMessage, response: ServerResponse): void {
  if (headers.origin === undefined) return
  response.setHeader('Access-Control-Allow-Origin', '*')
  response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS)
}

/** Answers OPTIONS, by which a browser asks whether it may make a call (a preflight, which never bears a key). */
export function answerOptions({ headers }: IncomingMessage, response: ServerResponse, methods: string): void {
  const requestedHeaders = headers['access-control-request-headers']
  response.writeHead(204, {
    Allow: methods,
    'Access-Control-Allow-Methods': methods,
    ...(requestedHeaders ? { 'Access-Control-Allow-Headers': requestedHeaders } : {}),
    'Access-Control-Max-Age': PREFLIGHT_MAX_AGE_S,
    'Content-Length': 0,
  })
  response.end()
}
