import type { GatewayModel } from '#contract/gateway/chat-completions.ts'
import type { ModelCard, ModelOffer, Platform } from '#contract/models.ts'
import { priceUnits } from '#contract/price-units.ts'
import { AppError } from '#server/core/app-error.ts'
import type { GatewayKey } from '#server/keys/keys.ts'
import { isModelAllowed, requireModelAccess } from '#server/llm/llm.ts'
import { sendJson } from './http/exchange.ts'
import type { Handler } from './pipeline/context.ts'

/** Clients of OpenAI's API ask once and expect all. */
const MAX_PAGE_SIZE = 1_000

/** `GET /models`: the models that a key may use (reference-product, "Gateway"), paged for clients that ask for pages. */
export const listModels: Handler<undefined> = async ({ deps, key, exchange, query }) => {
  const { models, catalogue } = deps
  const all = models
    .list()
    .filter(({ id }) => isModelAllowed(catalogue, id, { allowed_models: key.allowed_models }))
  const page = parseCount(query.get('page'), 1, Number.MAX_SAFE_INTEGER)
  const page_size = parseCount(query.get('page_size'), MAX_PAGE_SIZE, MAX_PAGE_SIZE)
  const shown = all.slice((page - 1) * page_size, page * page_size)
  const platforms = models.platforms()
  const data = shown.map((model) => toGatewayModel(model, platforms, key))
  sendJson(exchange.response, 200, { object: 'list', data, total: all.length, page, page_size })
}

/** `GET /models/{model}`: one of them. */
export const getModel: Handler<undefined> = async ({ deps, key, exchange, params }) => {
  const { models, catalogue } = deps
  const id = decodeModelId(params.model)
  requireModelAccess(catalogue, id, { allowed_models: key.allowed_models })
  sendJson(exchange.response, 200, toGatewayModel(models.getCard(id), models.platforms(), key))
}

function decodeModelId(name = ''): string {
  try {
    return decodeURIComponent(name)
  } catch {
    throw new AppError('model_not_found')
  }
}

function parseCount(text: string | null, fallback: number, max: number): number {
  return /^[1-9]\d{0,8}$/.test(text ?? '') ? Math.min(Number(text), max) : fallback
}

function toGatewayModel(card: ModelCard, platforms: Platform[], key: GatewayKey): GatewayModel {
  const { id, name, type, available, context_window, max_tokens, capabilities } = card
  const first: ModelOffer | undefined = card.offers.find(({ configured }) => configured) ?? card.offers[0]
  const platform = platforms.find((candidate) => candidate.name === first?.platform)
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
      input: applyDiscount(first?.input, card),
      output: applyDiscount(first?.output, card),
      per_call: applyDiscount(first?.per_call, card),
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
const applyDiscount = (price = 0, { discount }: ModelCard): number => Number((price * discount).toFixed(6))
