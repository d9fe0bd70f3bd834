import type { IncomingMessage, ServerResponse } from 'node:http'
import { gatewayCallList, getErrorShape } from '#contract/gateway/calls.ts'
import type { GatewayCall, GatewayCallKey } from '#contract/gateway/calls.ts'
import type { ErrorShape } from '#contract/gateway/errors.ts'
import { errors } from '#contract/errors.ts'
import { AppError, toAppError, toLoggedError } from '#server/core/app-error.ts'
import { createCapacityCounter } from '#server/core/capacity.ts'
import type { Capacity } from '#server/core/capacity.ts'
import { getClientAddress } from '#server/core/client-address.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Log } from '#server/core/log.ts'
import type { GatewayKey, Keys } from '#server/accounts/keys/keys.ts'
import type { Catalogue } from '#server/llm/llm.ts'
import type { RecordingMeter } from '#server/formats/formats.ts'
import type { Models } from '#server/models/models.ts'
import type { Runs } from '#server/runs/runs.ts'
import type { Users } from '#server/accounts/users/users.ts'
import { allowAnyOrigin, answerOptions } from './http/cors.ts'
import { createRequestBodyReader } from './http/body-reader.ts'
import type { RequestBodyReader } from './http/body-reader.ts'
import { createErrorResponse, createOpenAiErrorBody } from './http/errors.ts'
import { createExchange, sendJson } from './http/exchange.ts'
import type { Exchange } from './http/exchange.ts'
import { readUpload } from './http/multipart.ts'
import { createRouter } from './http/router.ts'
import { getModel, listModels } from './model-list.ts'
import { operationHandlers } from './operations/operations.ts'
import { createAbandonedRuns } from './pipeline/abandoned-runs.ts'
import { createAuthenticator } from './pipeline/authenticate.ts'
import { createChatHandler } from './pipeline/chat-call.ts'
import type { ProtocolAdapter } from './pipeline/chat-call.ts'
import type { CompletionHooks } from './pipeline/completion-hooks.ts'
import { createProviderSortCache } from './pipeline/context.ts'
import type { CallBody, GatewayDeps, Handler } from './pipeline/context.ts'
import { createRateLimits } from './pipeline/rate-limits.ts'
import { countTokens } from './protocols/anthropic/anthropic.ts'
import { cancelBackgroundCompletion, getBackgroundCompletion } from './protocols/openai-chat/background.ts'
import {
  cancelResponse,
  deleteResponse,
  getResponse,
  listInputItems,
} from './protocols/openai-responses/kept-responses.ts'
import type { Protocols } from './protocols/protocols.ts'

export { describeGateway } from './openapi.ts'
export { createCompletionHooks } from './pipeline/completion-hooks.ts'
export { deleteExpired as sweepGateway } from './pipeline/store.ts'
export { createProtocols } from './protocols/protocols.ts'

/** A handler for each call of the contract. A missing one is a type error. */
export type Handlers<Key extends GatewayCallKey = GatewayCallKey> = {
  [K in Key]: Handler<CallBody<K>>
}

/** Handlers of the calls that are no protocol's. */
const plainHandlers: Handlers<Exclude<GatewayCallKey, keyof Protocols>> = {
  'POST /messages/count_tokens': countTokens,
  'GET /responses/{id}': getResponse,
  'DELETE /responses/{id}': deleteResponse,
  'GET /responses/{id}/input_items': listInputItems,
  'POST /responses/{id}/cancel': cancelResponse,
  ...operationHandlers,
  'GET /models': listModels,
  'GET /models/{model}': getModel,
  'GET /chat/{id}': getBackgroundCompletion,
  'POST /chat/{id}/cancel': cancelBackgroundCompletion,
}

type Options = {
  db: Db
  runs: Runs
  completion_hooks: CompletionHooks
  keys: Keys
  catalogue: Catalogue
  models: Models
  users: Users
  recordings: RecordingMeter
  protocols: Protocols
  log: Log
  /** Number of reverse proxies in front whose X-Forwarded-For is trusted. */
  trust_proxy: number
  capacity: Capacity
}
export type Gateway = {
  /** Handles a request, or leaves it alone and returns false. */
  tryHandle(request: IncomingMessage, response: ServerResponse): boolean
  close(): Promise<void>
}

/**
 * Matches `/api/v1/models`, the same without /api (the base that many clients expect), `/v2/rerank` with or without each of the
 * bases, and the bases themselves, which people fill in as an address. Group 1 is the path of a call.
 */
const TARGET = /^(?:\/api)?(?:\/v1(?=\/|$)|(?=\/v2\/))(\/.*)?$|^\/api\/?$/

/** Creates the router of all calls, of which each protocol handles its own. */
function createCallRouter(protocols: Protocols) {
  const chatHandlers = Object.entries<ProtocolAdapter<unknown>>(protocols).map(
    ([key, adapter]) => [key, createChatHandler(adapter)] as const,
  )
  const handlers = { ...plainHandlers, ...Object.fromEntries(chatHandlers) } as Handlers
  return createRouter(
    gatewayCallList.map(({ key, method, path, call }) => ({
      method,
      path,
      route: { call, endpoint: path.slice(1), handle: handlers[key] as Handler<unknown> },
    })),
  )
}
const DIRECTORY_MESSAGE = '这里是接口的基础地址，请在它后面加上路径，例如 /chat/completions；全部接口见 calls'
const METHODS = [...new Set(['HEAD', 'OPTIONS', ...gatewayCallList.map(({ method }) => method)])].join(', ')
/** First segments of the paths whose errors have Anthropic's shape, also for calls that do not exist. */
const ANTHROPIC_SEGMENTS = new Set(
  gatewayCallList
    .filter(({ call }) => getErrorShape(call) === 'anthropic')
    .map(({ path }) => getFirstSegment(path)),
)

/**
 * The API for programs, in the shapes of OpenAI and Anthropic, on node:http. It comes before the app and handles every request
 * whose path begins with /v1 or /v2/, with or without /api before it, or is /api.
 */
export function createGateway(options: Options): Gateway {
  const { db, runs, completion_hooks, keys, catalogue, models, users, recordings } = options
  const { protocols, log, trust_proxy, capacity } = options
  const matchRoute = createCallRouter(protocols)
  const rateLimits = createRateLimits()
  const calls = createCapacityCounter(capacity.max_calls)
  const authenticate = createAuthenticator({ keys, rate_limits: rateLimits, calls })
  const bodyReader = createRequestBodyReader({ max_bytes: capacity.max_body_bytes })
  const getProviderSort = createProviderSortCache(users)
  const deps: GatewayDeps = {
    db,
    runs,
    catalogue,
    models,
    completion_hooks,
    rate_limits: rateLimits,
    getProviderSort,
    recordings,
    abandoned_runs: createAbandonedRuns(capacity.abandoned_grace_ms),
  }

  const handle = async (path: string, search: string | undefined, exchange: Exchange): Promise<void> => {
    const key = await authenticate(exchange)
    const match = matchRoute(exchange.request.method ?? '', path)
    if (!match) throw new AppError('not_found')
    if ('allow' in match) {
      exchange.response.setHeader('Allow', match.allow)
      throw new AppError('method_not_allowed')
    }
    const { call, endpoint, handle: handleCall } = match.route
    const body = await readBody(bodyReader, exchange, call, key)
    const query = new URLSearchParams(search)
    await handleCall({ deps, key, exchange, call, endpoint, body, params: match.params, query })
  }

  const sendError = (exchange: Exchange, error: unknown): void => {
    const { response, request_id, shape, disconnect_signal } = exchange
    const appError = toAppError(error)
    if (errors[appError.code].status >= 500 && !disconnect_signal.aborted) {
      log.error({ err: toLoggedError(appError), request_id, code: appError.code }, 'gateway call failed')
    }
    if (response.headersSent || response.destroyed) return
    const { status, headers, body } = createErrorResponse(shape, appError, request_id)
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    sendJson(response, status, body)
  }

  return {
    tryHandle(request, response) {
      const [target = '', search] = (request.url ?? '').split('?', 2)
      const match = TARGET.exec(target)
      if (!match) return false
      const [, path = '/'] = match
      allowAnyOrigin(request, response)
      if (request.method === 'OPTIONS') answerOptions(request, response, METHODS)
      else if (path === '/') sendDirectory(request, response)
      else {
        const finished = Promise.withResolvers<void>()
        const { remoteAddress: peer } = request.socket
        const source = { peer, forwarded_for: request.headers['x-forwarded-for']?.toString() }
        const address = getClientAddress(source, trust_proxy)
        const shape = getClientShape(path, request)
        const exchange = createExchange({ request, response, shape, address, finished: finished.promise })
        void handle(path.endsWith('/') ? path.slice(0, -1) : path, search, exchange)
          .catch((error: unknown) => sendError(exchange, error))
          .finally(() => {
            // A response stays in memory until the client has taken all of it.
            if (response.closed) finished.resolve()
            else response.once('close', finished.resolve)
          })
      }
      return true
    },
    async close() {
      await bodyReader.close()
    },
  }
}

/** Reads the body that the handler of a call expects. Throws AppError. */
function readBody(
  reader: RequestBodyReader,
  exchange: Exchange,
  { body, multipart }: GatewayCall,
  key: GatewayKey,
) {
  if (!body) return undefined
  return multipart ? readUpload(reader, exchange, key) : reader.readJson(exchange, key, body)
}

function getFirstSegment(path: string): string {
  const end = path.indexOf('/', 1)
  return end === -1 ? path : path.slice(0, end)
}

/** Tells the API by the path, or by the header that all clients of Anthropic's send, also for paths that both APIs have. */
const getClientShape = (path: string, { headers }: IncomingMessage): ErrorShape =>
  'anthropic-version' in headers || ANTHROPIC_SEGMENTS.has(getFirstSegment(path)) ? 'anthropic' : 'openai'

/** Lists the calls for a client that requests a base itself. Needs no key, since it tells nothing else. */
function sendDirectory({ method }: IncomingMessage, response: ServerResponse): void {
  const directory = {
    documentation: '/docs/gateway',
    calls: gatewayCallList.map((entry) => `${entry.method} ${entry.url}`),
  }
  if (method === 'GET' || method === 'HEAD') return sendJson(response, 200, directory)
  response.setHeader('Allow', 'GET, HEAD')
  const { error } = createOpenAiErrorBody('method_not_allowed')
  sendJson(response, 405, { error: { ...error, message: DIRECTORY_MESSAGE }, ...directory })
}
