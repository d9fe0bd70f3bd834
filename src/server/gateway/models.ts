import type { GatewayModel } from '#contract/gateway.ts'
import { priceUnits } from '#contract/price-units.ts'
import type { ModelCard, ModelOffer, Platform } from '#contract/models.ts'
import { AppError } from '../core/app-error.ts'
import type { GatewayKey } from '../keys/keys.ts'
import type { Models } from '../models/models.ts'

/** Clients of OpenAI's API ask once and expect all. */
const PAGE_SIZE = 1_000

/** The models that a key may use (reference-product, "Gateway"), page by page where a client asks for pages. */
export function modelList(models: Models, key: GatewayKey, query: URLSearchParams) {
  const all = models.list().filter(({ id }) => mayUse(key, id))
  const page = count(query.get('page'), 1, Number.MAX_SAFE_INTEGER)
  const page_size = count(query.get('page_size'), PAGE_SIZE, PAGE_SIZE)
  const shown = all.slice((page - 1) * page_size, page * page_size)
  const platforms = models.platforms()
  const data = shown.map((model) => gatewayModel(model, platforms, key))
  return { object: 'list', data, total: all.length, page, page_size }
}

/** One of them. Throws AppError model_not_found or model_not_allowed. */
export function modelOf(models: Models, key: GatewayKey, id: string): GatewayModel {
  const card = models.card(id)
  if (!mayUse(key, id)) throw new AppError('model_not_allowed')
  return gatewayModel(card, models.platforms(), key)
}

export const mayUse = ({ allowed_models }: GatewayKey, id: string): boolean =>
  allowed_models === null || allowed_models.includes(id)

function count(text: string | null, otherwise: number, most: number): number {
  return /^[1-9]\d{0,8}$/.test(text ?? '') ? Math.min(Number(text), most) : otherwise
}

function gatewayModel(card: ModelCard, platforms: Platform[], key: GatewayKey): GatewayModel {
  const { id, name, type, available, context_window, max_tokens, capabilities } = card
  const first: ModelOffer | undefined = card.offers.find(({ configured }) => configured) ?? card.offers[0]
  const platform = platforms.find((one) => one.name === first?.platform)
  return {
    id,
    object: 'model',
    name,
    type,
    status: available ? 'available' : 'unavailable',
    created: 0,
    owned_by: first?.platform ?? '',
    context_window,
    pricing: {
      unit: priceUnits[type],
      input: discounted(first?.input, card),
      output: discounted(first?.output, card),
      per_call: discounted(first?.per_call, card),
    },
    capabilities,
    limitations: { max_tokens, max_requests_per_min: key.requests_per_minute },
    platform: {
      name: platform?.name ?? '',
      alias: platform?.alias ?? '',
      website: platform?.website ?? '',
    },
  }
}

/** To six decimals, the smallest part of a coin. */
const discounted = (price = 0, { discount }: ModelCard): number => Number((price * discount).toFixed(6))
