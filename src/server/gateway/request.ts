import { AppError } from '../core/app-error.ts'
import type { Db } from '../core/database.ts'
import { idempotencyOf as readIdempotency } from '../core/idempotency.ts'
import type { Idempotency } from '../core/idempotency.ts'
import type { GatewayKey } from '../keys/keys.ts'
import type { Catalogue } from '../llm/catalogue.ts'
import type { ModelEntry } from '../llm/catalogue-schema.ts'
import { preferenceOf } from '../llm/routing/preference.ts'
import type { RoutePreference } from '../llm/routing/preference.ts'
import type { Runs } from '../runs/runs.ts'
import type { Bodies } from './body/bodies.ts'
import type { Endings } from './endings.ts'
import type { Exchange } from './exchange.ts'
import { mayUse } from './models.ts'
import type { Rates } from './rates.ts'
import type { Sorts } from './sorts.ts'

/** What a call may wish of its route: fields of the contract that are ours. */
export type Wishes = { [Wish in 'provider_sort' | 'retries']?: RoutePreference[Wish] | null | undefined }

export type Parts = {
  db: Db
  runs: Runs
  catalogue: Catalogue
  bodies: Bodies
  endings: Endings
  rates: Rates
  sortOf: Sorts
}

/**
 * The model of a request, which must be of the call's type. Throws AppError: of another type it is no model of this call
 * (404), and the message says so.
 */
export function usableModel(
  catalogue: Catalogue,
  key: GatewayKey,
  id: string,
  type: ModelEntry['type'],
): ModelEntry {
  const model = catalogue.model(id)
  if (!model?.visible) throw new AppError('model_not_found')
  if (model.type !== type) throw new AppError('model_not_found', { fields: { model: '不是这个接口的模型' } })
  if (!mayUse(key, id)) throw new AppError('model_not_allowed')
  return model
}

/** Who asks and pays, and who may answer. Runs of the gateway have the key as their subject. */
export async function payer({ sortOf }: Pick<Parts, 'sortOf'>, key: GatewayKey, wish: Wishes) {
  const { id: subject_id, user_id, budgets, strategy, provider_sort, auto_switch } = key
  const preference = preferenceOf(
    { provider_sort: wish.provider_sort ?? undefined, retries: wish.retries ?? undefined },
    { strategy, provider_sort, auto_switch },
    { provider_sort: await sortOf(user_id) },
  )
  return { user_id, kind: 'gateway', subject_id, preference, free: false, budgets }
}

/** The Idempotency-Key of a call, `chat/completions`; null without one. Throws AppError bad_request. */
export function idempotencyOf({ request }: Exchange, call: string, asked: unknown): Idempotency | null {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string') return null
  const headers = { 'Idempotency-Key': key }
  return readIdempotency(new Request('http://gateway', { headers }), [call, asked])
}
