import type { ProviderSort } from '#contract/users.ts'

/**
 * Tells which platforms may respond and what matters most: `lowcost` price, `balance` a bit of everything, `ha` availability,
 * `none` the model's own vendor only (the groups of API keys; reference-product, "Keys").
 */
type Strategy = 'lowcost' | 'balance' | 'ha' | 'none'

export type RoutePreference = {
  strategy: Strategy
  /** Anything but `default` replaces the strategy's order; which platforms may respond stays the strategy's. */
  provider_sort: ProviderSort
  /** Another platform may respond when one fails before its first content. */
  auto_switch: boolean
  /** How often platforms that have failed may be called again, once no other is left. */
  retries: number
}

/** The product's defaults: group `balance`, sort `default`, no retries (reference-product, "Keys" and "Gateway"). */
export const DEFAULT_PREFERENCE: RoutePreference = {
  strategy: 'balance',
  provider_sort: 'default',
  auto_switch: true,
  retries: 0,
}

type PartialPreference = Partial<RoutePreference>

/**
 * Field by field, the request takes precedence over the key, the key over the user, the user over the default. A sort of
 * `default` is no choice: keys and users always have a sort, and theirs must not hide the next one's.
 */
export function resolvePreference(
  request: PartialPreference = {},
  key: PartialPreference = {},
  user: PartialPreference = {},
): RoutePreference {
  const layers = [request, key, user, DEFAULT_PREFERENCE]
  const first = <T>(read: (layer: PartialPreference) => T | undefined, fallback: T): T =>
    layers.map(read).find((value) => value !== undefined) ?? fallback
  const sort = ({ provider_sort }: PartialPreference): ProviderSort | undefined =>
    provider_sort === 'default' ? undefined : provider_sort
  return {
    strategy: first(({ strategy }) => strategy, DEFAULT_PREFERENCE.strategy),
    provider_sort: first(sort, 'default'),
    auto_switch: first(({ auto_switch }) => auto_switch, DEFAULT_PREFERENCE.auto_switch),
    retries: first(({ retries }) => retries, DEFAULT_PREFERENCE.retries),
  }
}
