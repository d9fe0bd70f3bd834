import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors } from '#contract/errors.ts'
import { AppError } from '../core/app-error.ts'
import type { Db } from '../core/database.ts'
import type { Log } from '../core/log.ts'
import type { GatewayKey, Keys } from '../keys/keys.ts'
import type { Catalogue } from '../llm/catalogue.ts'
import type { Models } from '../models/models.ts'
import type { Runs } from '../runs/runs.ts'
import type { Users } from '../users/users.ts'
import { openAdmission } from './admission.ts'
import { anthropicAnswer } from './anthropic-error.ts'
import { standing, stop } from './background/background.ts'
import { sweepCompletions } from './background/store.ts'
import { openBodies } from './body/bodies.ts'
import { CAPACITY } from './capacity.ts'
import type { Capacity } from './capacity.ts'
import { complete } from './chat/completions.ts'
import type { Endings } from './endings.ts'
import { openExchange, sendJson } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import { sweepConversations } from './memory/store.ts'
import { modelList, modelOf } from './models.ts'
import { countTokens, message } from './messages/messages.ts'
import { openaiAnswer } from './openai-error.ts'
import { openRates } from './rates.ts'
import { respond } from './responses/responses.ts'
import { openSorts } from './sorts.ts'
import { isWorkPath, perform } from './works/works.ts'

export type { Capacity } from './capacity.ts'
export { openEndings } from './endings.ts'

type Options = {
  db: Db
  runs: Runs
  endings: Endings
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
  take(request: IncomingMessage, response: ServerResponse): boolean
  close(): Promise<void>
}

/** `/api/v1/models`, and the same without /api: the base that many clients expect. */
const BASE = /^(?:\/api)?\/v1(\/.*)$/

/**
 * The API for programs, in the shapes of OpenAI and Anthropic, on node:http: it stands ahead of the app and answers
 * every request whose path begins with /api/v1/ or /v1/.
 */
export function openGateway(options: Options): Gateway {
  const { db, runs, endings, keys, catalogue, models, users, log, trust_proxy } = options
  const { most_calls, most_body_bytes } = { ...CAPACITY, ...options.capacity }
  const rates = openRates()
  const admit = openAdmission({ keys, rates, trust_proxy, most_calls })
  const bodies = openBodies({ most_bytes: most_body_bytes })
  const parts = { db, runs, endings, catalogue, bodies, rates, sortOf: openSorts(users) }

  const route = async (path: string, query: URLSearchParams, exchange: Exchange): Promise<void> => {
    const { request, response } = exchange
    const key = await admit(exchange)
    const call = `${request.method} ${path}`
    if (call === 'POST /chat/completions') await complete(parts, key, exchange)
    else if (call === 'POST /messages') await message(parts, key, exchange)
    else if (call === 'POST /messages/count_tokens')
      sendJson(response, 200, await countTokens(parts, key, exchange))
    else if (call === 'POST /responses') await respond(parts, key, exchange)
    else if (request.method === 'POST' && isWorkPath(path)) await perform(parts, path, key, exchange)
    else if (call === 'GET /models') sendJson(response, 200, modelList(models, key, query))
    else if (call.startsWith('GET /models/')) sendJson(response, 200, modelNamed(path, key))
    else if (call.startsWith('GET /chat/'))
      sendJson(response, 200, await standing(db, key.user_id, path.slice(6)))
    else sendJson(response, 200, await stop(db, runs, key.user_id, stoppedBy(call)))
  }

  const modelNamed = (path: string, key: GatewayKey): object =>
    modelOf(models, key, decoded(path.slice('/models/'.length)))

  const fail = (path: string, exchange: Exchange, error: unknown): void => {
    const { response, request_id, gone } = exchange
    const known = error instanceof AppError ? error : new AppError('internal', { cause: error })
    if (errors[known.code].status >= 500 && !gone.aborted) {
      log.error({ err: known.cause ?? known, request_id, code: known.code }, 'gateway call failed')
    }
    if (response.headersSent || response.destroyed) return
    const answer = isAnthropic(path) ? anthropicAnswer(known, request_id) : openaiAnswer(known)
    const { status, headers, body } = answer
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    sendJson(response, status, body)
  }

  return {
    take(request, response) {
      const [target = '', query] = (request.url ?? '').split('?', 2)
      const path = BASE.exec(target)?.[1]
      if (path === undefined) return false
      const over = Promise.withResolvers<void>()
      const exchange = openExchange(request, response, over.promise)
      // Where clients of Anthropic's API look for it.
      if (isAnthropic(path)) response.setHeader('request-id', exchange.request_id)
      void route(path, new URLSearchParams(query), exchange)
        .catch((error: unknown) => fail(path, exchange, error))
        .finally(over.resolve)
      return true
    },
    close: () => bodies.close(),
  }
}

/** Forgets completions and conversations whose time is over. */
export async function sweepGateway(db: Db): Promise<void> {
  await sweepCompletions(db)
  await sweepConversations(db)
}

/** The id of `POST /chat/{id}/cancel`. Throws AppError not_found for any other call. */
function stoppedBy(call: string): string {
  const id = /^POST \/chat\/([^/]+)\/cancel$/.exec(call)?.[1]
  if (id === undefined) throw new AppError('not_found')
  return id
}

/** Doors in Anthropic's shape, errors included. */
const isAnthropic = (path: string): boolean => /^\/messages(\/|$)/.test(path)

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    throw new AppError('model_not_found')
  }
}
