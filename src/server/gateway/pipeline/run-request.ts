import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import { parseIdempotencyKey as readIdempotency } from '#server/core/idempotency.ts'
import type { IdempotencyKey } from '#server/core/idempotency.ts'
import type { GatewayKey } from '#server/keys/keys.ts'
import { resolvePreference } from '#server/llm/llm.ts'
import type { Catalogue, ModelEntry, RoutePreference } from '#server/llm/llm.ts'
import type { Runs } from '#server/runs/runs.ts'
import type { RequestBodyReader } from '../http/body-reader.ts'
import type { CompletionHooks } from './completion-hooks.ts'
import type { Exchange } from '../http/exchange.ts'
import { isModelAllowed } from './model-list.ts'
import type { RateLimits } from './rate-limits.ts'
import type { ProviderSortCache } from './provider-sort-cache.ts'

/** What a call may wish of its route: fields of the contract that are ours. */
export type RoutingOptions = {
  [Wish in 'provider_sort' | 'retries']?: RoutePreference[Wish] | null | undefined
}

export type GatewayDeps = {
  db: Db
  runs: Runs
  catalogue: Catalogue
  body_reader: RequestBodyReader
  completion_hooks: CompletionHooks
  rate_limits: RateLimits
  getProviderSort: ProviderSortCache
}

/**
 * The model of a request, which must be of the call's type. Throws AppError: of another type it is no model of this call
 * (404), and the message says so.
 */
export function requireModelAccess(
  catalogue: Catalogue,
  key: GatewayKey,
  id: string,
  type: ModelEntry['type'],
): ModelEntry {
  const model = catalogue.getModel(id)
  if (!model?.visible) throw new AppError('model_not_found')
  if (model.type !== type) throw new AppError('model_not_found', { fields: { model: '不是这个接口的模型' } })
  if (!isModelAllowed(key, id)) throw new AppError('model_not_allowed')
  return model
}

/** Who asks and pays, and who may answer. Runs of the gateway have the key as their subject. */
export async function createBillingContext(
  { getProviderSort }: Pick<GatewayDeps, 'getProviderSort'>,
  key: GatewayKey,
  wish: RoutingOptions,
) {
  const { id: subject_id, user_id, budgets, strategy, provider_sort, auto_switch } = key
  const preference = resolvePreference(
    { provider_sort: wish.provider_sort ?? undefined, retries: wish.retries ?? undefined },
    { strategy, provider_sort, auto_switch },
    { provider_sort: await getProviderSort(user_id) },
  )
  return { user_id, kind: 'gateway', subject_id, preference, free: false, budgets }
}

/** The Idempotency-Key of a call, `chat/completions`; null without one. Throws AppError bad_request. */
export function readCallIdempotency(
  { request }: Exchange,
  endpoint: string,
  body: unknown,
): IdempotencyKey | null {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string') return null
  const headers = { 'Idempotency-Key': key }
  return readIdempotency(new Request('http://gateway', { headers }), [endpoint, body])
}
