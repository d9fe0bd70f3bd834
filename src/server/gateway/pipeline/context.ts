import type { Body, BodyName } from '#contract/gateway/bodies.ts'
import type { GatewayCall, GatewayCallKey, gatewayCalls } from '#contract/gateway/calls.ts'
import type { ProviderSort } from '#contract/users.ts'
import type { Db } from '#server/core/database/database.ts'
import type { GatewayKey } from '#server/accounts/keys/keys.ts'
import { requireModelAccess, resolvePreference } from '#server/llm/llm.ts'
import type { Catalogue, ModelEntry, RoutePreference } from '#server/llm/llm.ts'
import type { RecordingMeter } from '#server/formats/formats.ts'
import type { Models } from '#server/models/models.ts'
import type { Runs } from '#server/runs/runs.ts'
import type { Users } from '#server/accounts/users/users.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Upload } from '../http/multipart.ts'
import type { AbandonedRuns } from './abandoned-runs.ts'
import type { CompletionHooks } from './completion-hooks.ts'
import type { RateLimits } from './rate-limits.ts'

export type GatewayDeps = {
  db: Db
  runs: Runs
  catalogue: Catalogue
  models: Models
  completion_hooks: CompletionHooks
  rate_limits: RateLimits
  getProviderSort: ProviderSortCache
  recordings: RecordingMeter
  abandoned_runs: AbandonedRuns
}

/** One call of the gateway, authenticated and with its body read. */
export type CallContext<Body = unknown> = {
  deps: GatewayDeps
  key: GatewayKey
  exchange: Exchange
  call: GatewayCall
  /** For example `chat/completions`. Part of the hash behind an Idempotency-Key, which lives for a day. */
  endpoint: string
  body: Body
  params: Readonly<Record<string, string>>
  query: URLSearchParams
}

/** The body of a call of the contract. */
export type CallBody<Key extends GatewayCallKey> = BodyOf<(typeof gatewayCalls)[Key]>
type BodyOf<Call> = Call extends { multipart: true }
  ? Upload
  : Call extends { body: infer Name extends BodyName }
    ? Body<Name>
    : undefined

/** Answers one call. Throws AppError for a failure before anything was sent. */
export type Handler<Body> = (context: CallContext<Body>) => Promise<void>

/**
 * Returns the model of a call. Throws AppError; a model of another type than the call's is not found (404), and the message says
 * why.
 */
export const requireModel = ({ deps, key, call }: CallContext, id: string): ModelEntry =>
  requireModelAccess(deps.catalogue, id, {
    type: call.model_type,
    type_error: '不是这个接口的模型',
    allowed_models: key.allowed_models,
  })

/** Options of a call for its route: fields of the contract that are ours. */
export type RoutingOptions = {
  [Option in 'provider_sort' | 'retries']?: RoutePreference[Option] | null | undefined
}

/** The part of a run's request that tells who pays and which platforms may serve it. The key is the subject of the run. */
export async function createBillingContext(
  { deps, key }: CallContext,
  { provider_sort: sort, retries }: RoutingOptions,
) {
  const { id: subjectId, user_id, account_id, budgets, strategy, provider_sort, auto_switch } = key
  const preference = resolvePreference(
    { provider_sort: sort ?? undefined, retries: retries ?? undefined },
    { strategy, provider_sort, auto_switch },
    { provider_sort: await deps.getProviderSort(user_id) },
  )
  return {
    user_id,
    account_id,
    kind: 'gateway',
    subject_id: subjectId,
    preference,
    free: false,
    budgets,
  } as const
}

/** Longest time until a person's new choice counts at the gateway, ms. */
const PROVIDER_SORT_TTL_MS = 10_000
/** Choices that are cached at a time. */
const MAX_PROVIDER_SORTS = 10_000

type ProviderSortCache = ReturnType<typeof createProviderSortCache>

/** Caches for a moment how people want platforms to be sorted: every call needs it. */
export function createProviderSortCache(users: Users) {
  const cache = new Map<string, { sort: Promise<ProviderSort>; expires_ms: number }>()
  return async (userId: string): Promise<ProviderSort> => {
    const nowMs = performance.now()
    const cached = cache.get(userId)
    if (cached && cached.expires_ms > nowMs) return cached.sort
    if (cache.size >= MAX_PROVIDER_SORTS) cache.clear()
    const sort = users.getPreferences(userId).then(({ provider_sort }) => provider_sort)
    cache.set(userId, { sort, expires_ms: nowMs + PROVIDER_SORT_TTL_MS })
    sort.catch(() => cache.delete(userId))
    return sort
  }
}
