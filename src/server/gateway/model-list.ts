import type { GatewayModel } from '#contract/gateway/completion-answers.ts'
import type { MessageModel } from '#contract/gateway/messages.ts'
import type { ModelCard, ModelOffer, Platform } from '#contract/models.ts'
import { getPriceUnit } from '#contract/price-units.ts'
import { AppError } from '#server/core/app-error.ts'
import type { GatewayKey } from '#server/accounts/keys/keys.ts'
import { isModelAllowed, requireModelAccess } from '#server/llm/llm.ts'
import { sendJson } from './http/exchange.ts'
import type { Exchange } from './http/exchange.ts'
import type { Handler } from './pipeline/context.ts'

/** Clients of OpenAI's API ask once and expect all models. */
const MAX_PAGE_SIZE = 1_000

/** The catalogue does not know when a model was made. */
const UNKNOWN_TIME = new Date(0).toISOString()

/**
 * `GET /models`: the models that a key may use (reference-product, "Gateway"), paged for clients that ask for pages, by
 * number or, as Anthropic's do, by the last model that they have. Throws AppError bad_request.
 */
export const listModels: Handler<undefined> = async ({ deps, key, exchange, query }) => {
  const { models, catalogue } = deps
  const all = models
    .list()
    .filter(({ id }) => isModelAllowed(catalogue, id, { allowed_models: key.allowed_models }))
  const page = parseCount(query.get('page'), 1, Number.MAX_SAFE_INTEGER)
  const pageSize = parseCount(query.get('limit') ?? query.get('page_size'), MAX_PAGE_SIZE, MAX_PAGE_SIZE)
  const [after, before] = ['after_id', 'before_id'].map((name) => findCursor(all, name, query.get(name)))
  const start =
    after !== undefined
      ? after + 1
      : Math.max(0, before === undefined ? (page - 1) * pageSize : before - pageSize)
  const pageModels = all.slice(start, Math.min(start + pageSize, before ?? all.length))
  const platforms = models.platforms()
  const data = pageModels.map((model) => formatModel(exchange, model, platforms, key))
  sendJson(exchange.response, 200, {
    object: 'list',
    data,
    total: all.length,
    page,
    page_size: pageSize,
    first_id: pageModels[0]?.id ?? null,
    last_id: pageModels.at(-1)?.id ?? null,
    has_more: before === undefined ? start + pageModels.length < all.length : start > 0,
  })
}

/** `GET /models/{model}`: one of these models. */
export const getModel: Handler<undefined> = async ({ deps, key, exchange, params }) => {
  const { models, catalogue } = deps
  const id = decodeModelId(params.model)
  requireModelAccess(catalogue, id, { allowed_models: key.allowed_models })
  sendJson(exchange.response, 200, formatModel(exchange, models.getCard(id), models.platforms(), key))
}

/** The index of a cursor's model; undefined without a cursor. Throws AppError bad_request for a model that is not listed. */
function findCursor(all: ModelCard[], name: string, id: string | null): number | undefined {
  if (id === null) return undefined
  const index = all.findIndex((model) => model.id === id)
  if (index === -1) throw new AppError('bad_request', { fields: { [name]: '没有这个模型' } })
  return index
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

/** Formats a model for the client's API: `type` means something else in each. */
const formatModel = (
  { shape }: Exchange,
  card: ModelCard,
  platforms: Platform[],
  key: GatewayKey,
): GatewayModel | MessageModel =>
  shape === 'anthropic' ? toMessageModel(card) : toGatewayModel(card, platforms, key)

const toMessageModel = ({ id, name, context_window, max_tokens }: ModelCard): MessageModel => ({
  type: 'model',
  id,
  display_name: name,
  created_at: UNKNOWN_TIME,
  max_input_tokens: context_window,
  max_tokens,
  capabilities: null,
})

function toGatewayModel(card: ModelCard, platforms: Platform[], key: GatewayKey): GatewayModel {
  const { id, name, type, available, context_window, max_tokens, capabilities } = card
  const first: ModelOffer | undefined = card.offers.find(({ configured }) => configured) ?? card.offers[0]
  const platform = platforms.find((candidate) => candidate.name === first?.platform)
  return {
    id,
    object: 'model',
    name,
    display_name: name,
    type,
    status: available ? 'available' : 'unavailable',
    created: 0,
    created_at: UNKNOWN_TIME,
    owned_by: first?.platform ?? '',
    context_window,
    pricing: {
      unit: getPriceUnit(card),
      input: applyDiscount(first?.input, card),
      output: applyDiscount(first?.output, card),
      per_call: applyDiscount(first?.per_call, card),
      ...(first?.tiers
        ? {
            tiers: first.tiers.map(({ above, input, output }) => ({
              above,
              input: applyDiscount(input, card),
              output: applyDiscount(output, card),
            })),
          }
        : {}),
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

/** Rounds to six decimals, the smallest part of a coin. */
const applyDiscount = (price = 0, { discount }: ModelCard): number => Number((price * discount).toFixed(6))
