import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors } from '#contract/errors.ts'
import { AppError } from '../core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Log } from '../core/log.ts'
import type { GatewayKey, Keys } from '../keys/keys.ts'
import type { Catalogue } from '#server/llm/llm.ts'
import type { Models } from '../models/models.ts'
import type { Runs } from '../runs/runs.ts'
import type { Users } from '../users/users.ts'
import { createAuthenticator } from './pipeline/authenticate.ts'
import { createAnthropicErrorResponse } from './protocols/anthropic-error.ts'
import { getCompletionStatus, cancelCompletion } from './pipeline/background/background.ts'
import { sweepCompletions } from './pipeline/background/store.ts'
import { createRequestBodyReader } from './http/body-reader.ts'
import { DEFAULT_CAPACITY } from './pipeline/capacity.ts'
import type { Capacity } from './pipeline/capacity.ts'
import { handleChatCompletion } from './protocols/openai-chat/openai-chat.ts'
import type { CompletionHooks } from './pipeline/completion-hooks.ts'
import { createExchange, sendJson } from './http/exchange.ts'
import type { Exchange } from './http/exchange.ts'
import { sweepConversations } from './pipeline/memory/store.ts'
import { listGatewayModels, getGatewayModel } from './pipeline/model-list.ts'
import { countTokens, handleMessages } from './protocols/anthropic/anthropic.ts'
import { createOpenAiErrorResponse } from './protocols/openai-error.ts'
import { createRateLimits } from './pipeline/rate-limits.ts'
import { handleResponses } from './protocols/openai-responses/openai-responses.ts'
import { createProviderSortCache } from './pipeline/provider-sort-cache.ts'
import { isWorkPath, handleOperation } from './operations/operations.ts'

export type { Capacity } from './pipeline/capacity.ts'
export { createCompletionHooks as openEndings } from './pipeline/completion-hooks.ts'

type Options = {
  db: Db
  runs: Runs
  endings: CompletionHooks
  keys: Keys
  catalogue: Catalogue
  models: Models
  users: Users
  log: Log
  /** Reverse proxies in front whose X-Forwarded-For is believed. */
  trust_proxy: number
  capacity?: Partial<Capacity>
}
export type Gateway = {
  /** Takes a request, or leaves it alone and answers false. */
  tryHandle(request: IncomingMessage, response: ServerResponse): boolean
  close(): Promise<void>
}

/** `/api/v1/models`, and the same without /api: the base that many clients expect. */
const BASE = /^(?:\/api)?\/v1(\/.*)$/

/**
 * The API for programs, in the shapes of OpenAI and Anthropic, on node:http: it stands ahead of the app and answers
 * every request whose path begins with /api/v1/ or /v1/.
 */
export function createGateway(options: Options): Gateway {
  const { db, runs, endings: completion_hooks, keys, catalogue, models, users, log, trust_proxy } = options
  const { max_calls, max_body_bytes } = {
    ...DEFAULT_CAPACITY,
    ...options.capacity,
  }
  const rate_limits = createRateLimits()
  const authenticate = createAuthenticator({ keys, rate_limits, trust_proxy, max_calls })
  const body_reader = createRequestBodyReader({ most_bytes: max_body_bytes })
  const deps = {
    db,
    runs,
    completion_hooks,
    catalogue,
    body_reader,
    rate_limits,
    getProviderSort: createProviderSortCache(users),
  }

  const route = async (path: string, query: URLSearchParams, exchange: Exchange): Promise<void> => {
    const { request, response } = exchange
    const key = await authenticate(exchange)
    const call = `${request.method} ${path}`
    if (call === 'POST /chat/completions') await handleChatCompletion(deps, key, exchange)
    else if (call === 'POST /messages') await handleMessages(deps, key, exchange)
    else if (call === 'POST /messages/count_tokens')
      sendJson(response, 200, await countTokens(deps, key, exchange))
    else if (call === 'POST /responses') await handleResponses(deps, key, exchange)
    else if (request.method === 'POST' && isWorkPath(path)) await handleOperation(deps, path, key, exchange)
    else if (call === 'GET /models') sendJson(response, 200, listGatewayModels(models, key, query))
    else if (call.startsWith('GET /models/')) sendJson(response, 200, getNamedModel(path, key))
    else if (call.startsWith('GET /chat/'))
      sendJson(response, 200, await getCompletionStatus(db, key.user_id, path.slice(6)))
    else sendJson(response, 200, await cancelCompletion(db, runs, key.user_id, parseCancelledId(call)))
  }

  const getNamedModel = (path: string, key: GatewayKey): object =>
    getGatewayModel(models, key, decodeModelId(path.slice('/models/'.length)))

  const sendError = (path: string, exchange: Exchange, error: unknown): void => {
    const { response, request_id, disconnect_signal } = exchange
    const app_error = error instanceof AppError ? error : new AppError('internal', { cause: error })
    if (errors[app_error.code].status >= 500 && !disconnect_signal.aborted) {
      log.error(
        { err: app_error.cause ?? app_error, request_id, code: app_error.code },
        'gateway call failed',
      )
    }
    if (response.headersSent || response.destroyed) return
    const answer = isAnthropicPath(path)
      ? createAnthropicErrorResponse(app_error, request_id)
      : createOpenAiErrorResponse(app_error)
    const { status, headers, body } = answer
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    sendJson(response, status, body)
  }

  return {
    tryHandle(request, response) {
      const [target = '', query] = (request.url ?? '').split('?', 2)
      const path = BASE.exec(target)?.[1]
      if (path === undefined) return false
      const over = Promise.withResolvers<void>()
      const exchange = createExchange(request, response, over.promise)
      // Where clients of Anthropic's API look for it.
      if (isAnthropicPath(path)) response.setHeader('request-id', exchange.request_id)
      void route(path, new URLSearchParams(query), exchange)
        .catch((error: unknown) => sendError(path, exchange, error))
        .finally(over.resolve)
      return true
    },
    close: () => body_reader.close(),
  }
}

/** Forgets completions and conversations whose time is over. */
export async function sweepGateway(db: Db): Promise<void> {
  await sweepCompletions(db)
  await sweepConversations(db)
}

/** The id of `POST /chat/{id}/cancel`. Throws AppError not_found for any other call. */
function parseCancelledId(call: string): string {
  const id = /^POST \/chat\/([^/]+)\/cancel$/.exec(call)?.[1]
  if (id === undefined) throw new AppError('not_found')
  return id
}

/** Doors in Anthropic's shape, errors included. */
const isAnthropicPath = (path: string): boolean => /^\/messages(\/|$)/.test(path)

function decodeModelId(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    throw new AppError('model_not_found')
  }
}
