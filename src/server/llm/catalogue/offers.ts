import type { ChatModel } from '#contract/models.ts'
import type { Prices } from '#server/core/prices.ts'
import { findPromptTraits } from './prompt-traits.ts'
import type { PromptTraits } from './family-schema.ts'
import type { CatalogueFile, Dialect, ModelEntry, OfferEntry, PlatformEntry } from './schema.ts'
import type { Timeouts } from '../transport/watchdog.ts'
import { findFamily, getThinkingMode } from './families.ts'
import type { Family } from './families.ts'
import { toPrices, toDisplayPrice } from './prices.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** A model as one platform serves it: everything that a call and its bill need. `api_key` is a secret: never log it. */
export type Offer = {
  model_id: string
  platform: string
  /** The platform's name as people see it. */
  alias: string
  dialect: Dialect
  base_url: string
  api_key: string
  /** The model's name on the platform. */
  model: string
  /** Each chunk carries the whole text so far (specification section 4: models whose name contains farui). */
  cumulative: boolean
  timeouts: Timeouts
  /** False: the platform bills the whole response even when the connection is closed. */
  abort_stops_billing: boolean
  /** Fields of callers that the platform gets beside those of its dialect: see forwarded-fields.ts. */
  fields: readonly string[]
  /** Abilities and limits of the model there. */
  family: Family
  /** The form that prompts must have there. */
  promptTraits: PromptTraits
  prices: Prices
  /** Thinking where the caller does not say; absent: as the platform does. */
  thinking?: OfferEntry['thinking']
  /** Fields of an operation's call that the caller leaves out. */
  defaults?: OfferEntry['defaults']
}

const CONNECT_MS = 10_000
/** Factor on its platform's `timeout_ms` for a model that sends nothing while it thinks. */
const SILENT_THINKING_FACTOR = 5
const TOTAL_MS = 30 * 60_000

/** Tells whether the platform can be called now: its key, if it asks for one, is set. */
export function isPlatformConfigured(platform: PlatformEntry, env: Env): boolean {
  return !platform.api_key_env || Boolean(env[platform.api_key_env])
}

/** Every offer of a model whose platform is configured, in the file's order. */
export function listConfiguredOffers(model: ModelEntry, platforms: PlatformEntry[], env: Env): Offer[] {
  return model.offers.flatMap((entry): Offer[] => {
    const platform = platforms.find(({ name }) => name === entry.platform)
    if (!platform || !isPlatformConfigured(platform, env)) return []
    const family = findFamily(platform, entry.model)
    return [
      {
        model_id: model.id,
        platform: platform.name,
        alias: platform.alias,
        dialect: platform.dialect,
        base_url: (platform.base_url ?? '').replace(/\/+$/, ''),
        api_key: platform.api_key_env ? (env[platform.api_key_env] ?? '') : '',
        model: entry.model,
        cumulative: /farui/i.test(`${model.id} ${entry.model}`),
        timeouts: {
          connect_ms: Math.min(CONNECT_MS, platform.timeout_ms),
          first_byte_ms: platform.timeout_ms * (family.silent_thinking ? SILENT_THINKING_FACTOR : 1),
          idle_ms: platform.timeout_ms,
          total_ms: TOTAL_MS,
        },
        abort_stops_billing: platform.abort_stops_billing,
        fields: [...platform.fields, ...family.fields],
        family,
        promptTraits: findPromptTraits(platform.dialect, entry.model, family),
        prices: toPrices(entry, model.discount),
        thinking: entry.thinking,
        defaults: entry.defaults,
      },
    ]
  })
}

/** Tells whether a model is served only by the local demo model. */
export function isLocalModel(model: ModelEntry, platforms: PlatformEntry[]): boolean {
  return model.offers.every(
    ({ platform }) => platforms.find(({ name }) => name === platform)?.dialect === 'local',
  )
}

/** Tells whether people may switch a model's thinking on and off at any of these offers, or it always thinks; null: neither. */
export function getModelThinking({ capabilities }: ModelEntry, offers: Offer[]): ChatModel['thinking'] {
  if (!capabilities.includes('reasoning')) return null
  const modes = offers.map(({ family }) => getThinkingMode(family))
  return modes.includes('switch') ? 'switch' : modes.includes('always') ? 'always' : null
}

/** Tells whether a model's vendor no longer serves it. `retires` is a day, month or year, `today` a day, both of ISO 8601. */
export const isRetired = (retires: string | null | undefined, today: string): boolean =>
  Boolean(retires && retires <= today)

/** A model as the picker shows it, priced by the first offer that can be called, or else by the first of the file. */
export function toChatModel(model: ModelEntry, { platforms }: CatalogueFile, offers: Offer[]): ChatModel {
  const first = model.offers[0]
  const prices = offers[0]?.prices ?? (first && toPrices(first, model.discount))
  return {
    id: model.id,
    name: model.name,
    desc: model.desc,
    vendor: model.vendor,
    tags: model.tags,
    retires: model.retires ?? null,
    platform: offers[0]?.alias ?? platforms.find(({ name }) => name === first?.platform)?.alias ?? '',
    context_window: model.context_window,
    max_tokens: model.max_tokens,
    capabilities: model.capabilities,
    thinking: getModelThinking(model, offers),
    guest: model.guest,
    available: offers.length > 0,
    local: isLocalModel(model, platforms),
    input_price: prices ? toDisplayPrice(prices.input, prices.discount) : 0,
    output_price: prices ? toDisplayPrice(prices.output, prices.discount) : 0,
  }
}
