import type { ModelCard, ModelOffer, Platform } from '#contract/models.ts'
import { AppError } from '#server/core/app-error.ts'
import { toChinaDay } from '#contract/dates/dates.ts'
import { isLocalModel, isModelAllowed, isRetired, requireModelAccess } from '#server/llm/llm.ts'
import type { Catalogue, Llm, ModelEntry } from '#server/llm/llm.ts'
import { calculateCosts, toDisplayPrices } from './costs.ts'
import type { PricedUsage } from './costs.ts'

export { toDailyMetric } from './stats.ts'

export type Models = ReturnType<typeof createModels>

/** The plaza: all models, the platforms that offer them, their prices and their recent speed. */
export function createModels({ catalogue, llm }: { catalogue: Catalogue; llm: Llm }) {
  const toModelOffers = (model: ModelEntry): ModelOffer[] => {
    const measured = llm.getMetrics(model.id)
    return model.offers.map((offer) => {
      const platform = catalogue.listPlatforms().find(({ name }) => name === offer.platform)
      const { latency_ms = null, throughput = null, uptime = null } = measured.get(offer.platform) ?? {}
      return {
        platform: offer.platform,
        alias: platform?.alias ?? offer.platform,
        configured: catalogue.isConfigured(offer.platform),
        ...toDisplayPrices(offer),
        latency_ms,
        throughput,
        uptime,
      }
    })
  }
  const toModelCard = (model: ModelEntry): ModelCard => {
    const { id, name, desc, type, context_window, max_tokens, capabilities, guest, discount } = model
    const available = catalogue.listOffers(id).length > 0 && !isRetired(model.retires, toChinaDay(new Date()))
    const local = isLocalModel(model, catalogue.listPlatforms())
    const offers = toModelOffers(model)
    return {
      id,
      name,
      desc,
      vendor: model.vendor,
      tags: model.tags,
      retires: model.retires ?? null,
      type,
      context_window,
      max_tokens,
      capabilities,
      guest,
      available,
      local,
      discount,
      offers,
    }
  }

  return {
    list: (): ModelCard[] => catalogue.listModels().map(toModelCard),
    /** Tells whether a model has this id, or had it formerly. */
    isKnown: (id: string): boolean => isModelAllowed(catalogue, id, {}),
    getCard: (id: string): ModelCard => toModelCard(requireModelAccess(catalogue, id, {})),

    platforms: (): Platform[] =>
      catalogue.listPlatforms().map(({ name, alias, website, abort_stops_billing }) => ({
        name,
        alias,
        website,
        configured: catalogue.isConfigured(name),
        abort_stops_billing,
        models: catalogue
          .listModels()
          .filter(({ offers }) => offers.some(({ platform }) => platform === name)).length,
      })),

    /**
     * Calculates the cost of a usage on each platform that offers the model, the cheapest first. Throws AppError model_not_found,
     * and invalid_input when `type` is not the model's.
     */
    getCosts(id: string, type: ModelEntry['type'] | undefined, usage: PricedUsage) {
      const model = requireModelAccess(catalogue, id, {})
      if (type && type !== model.type) {
        throw new AppError('invalid_input', { fields: { type: '与模型的类型不符' } })
      }
      return {
        model: id,
        name: model.name,
        discount: model.discount,
        costs: calculateCosts(model, usage, catalogue.listPlatforms()),
      }
    },
  }
}
