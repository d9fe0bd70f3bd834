import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors } from '#contract/errors.ts'
import { AppError } from '../core/app-error.ts'
import type { Log } from '../core/log.ts'
import type { GatewayKey, Keys } from '../keys/keys.ts'
import type { Catalogue } from '../llm/catalogue.ts'
import type { Models } from '../models/models.ts'
import type { Runs } from '../runs/runs.ts'
import type { Users } from '../users/users.ts'
import { openAdmission } from './admission.ts'
import { anthropicAnswer } from './anthropic-error.ts'
import { complete } from './chat/completions.ts'
import { openExchange, sendJson } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import { modelList, modelOf } from './models.ts'
import { countTokens, message } from './messages/messages.ts'
import { openaiAnswer } from './openai-error.ts'
import { openRates } from './rates.ts'
import type { Replays } from './replays.ts'
import { respond } from './responses/responses.ts'
import { openSorts } from './sorts.ts'
import { isWorkPath, openWorks } from './works/works.ts'

export { openReplays } from './replays.ts'

type Options = {
  runs: Runs
  replays: Replays
  keys: Keys
  catalogue: Catalogue
  models: Models
  users: Users
  log: Log
  /** Reverse proxies in front whose X-Forwarded-For is believed. */
  trust_proxy: number
}
export type Gateway = ReturnType<typeof openGateway>

/** `/api/v1/models`, and the same without /api: the base that many clients expect. */
const BASE = /^(?:\/api)?\/v1(\/.*)$/

/**
 * The API for programs, in the shapes of OpenAI and Anthropic, on node:http: it stands ahead of the app and answers every request
 * whose path begins with /api/v1/ or /v1/. False for all others, which it leaves alone.
 */
export function openGateway(
  options: Options,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { runs, replays, keys, catalogue, models, users, log, trust_proxy } = options
  const rates = openRates()
  const admit = openAdmission({ keys, rates, trust_proxy })
  const parts = { runs, replays, catalogue, rates, sortOf: openSorts(users) }
  const perform = openWorks(parts)

  const route = async (path: string, query: URLSearchParams, exchange: Exchange): Promise<void> => {
    const { request, response } = exchange
    const key = await admit(exchange)
    const call = `${request.method} ${path}`
    if (call === 'POST /chat/completions') await complete(parts, key, exchange)
    else if (call === 'POST /messages') await message(parts, key, exchange)
    else if (call === 'POST /messages/count_tokens')
      sendJson(response, 200, await countTokens(parts, key, exchange))
    else if (call === 'POST /responses') await respond(parts, key, exchange)
    else if (request.method === 'POST' && isWorkPath(path)) await perform(path, key, exchange)
    else if (call === 'GET /models') sendJson(response, 200, modelList(models, key, query))
    else if (call.startsWith('GET /models/')) sendJson(response, 200, modelNamed(path, key))
    else throw new AppError('not_found')
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

  return (request, response) => {
    const [target = '', query] = (request.url ?? '').split('?', 2)
    const path = BASE.exec(target)?.[1]
    if (path === undefined) return false
    const exchange = openExchange(request, response)
    // Where clients of Anthropic's API look for it.
    if (isAnthropic(path)) response.setHeader('request-id', exchange.request_id)
    route(path, new URLSearchParams(query), exchange).catch((error: unknown) => fail(path, exchange, error))
    return true
  }
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
