import type { ModelCard, ModelOffer, Platform } from '#contract/models.ts'
import { AppError } from '../core/app-error.ts'
import type { Catalogue } from '../llm/catalogue.ts'
import type { Llm } from '../llm/llm.ts'
import type { ModelEntry } from '../llm/catalogue-schema.ts'
import { isLocal } from '../llm/offers.ts'
import { costsOf } from './costs.ts'
import type { Usage } from './costs.ts'

export type Models = ReturnType<typeof openModels>

/** The plaza: which models there are, who offers them, at what price and how fast lately. */
export function openModels({ catalogue, llm }: { catalogue: Catalogue; llm: Llm }) {
  const offersOf = (model: ModelEntry): ModelOffer[] => {
    const measured = llm.measures(model.id)
    return model.offers.map((offer) => {
      const platform = catalogue.platforms().find(({ name }) => name === offer.platform)
      const { latency_ms = null, throughput = null, uptime = null } = measured.get(offer.platform) ?? {}
      return {
        platform: offer.platform,
        alias: platform?.alias ?? offer.platform,
        configured: catalogue.configured(offer.platform),
        input: offer.input,
        output: offer.output,
        cached_input: offer.cached_input ?? offer.input,
        cache_write: offer.cache_write ?? offer.input,
        reasoning: offer.reasoning ?? offer.output,
        per_call: offer.per_call,
        latency_ms,
        throughput,
        uptime,
      }
    })
  }
  const cardOf = (model: ModelEntry): ModelCard => {
    const { id, name, desc, type, context_window, max_tokens, capabilities, guest, discount } = model
    const available = catalogue.offers(id).length > 0
    const local = isLocal(model, catalogue.platforms())
    const offers = offersOf(model)
    return {
      id,
      name,
      desc,
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
  const visible = (id: string): ModelEntry => {
    const model = catalogue.model(id)
    if (!model?.visible) throw new AppError('model_not_found')
    return model
  }

  return {
    list: (): ModelCard[] => catalogue.models().map(cardOf),
    card: (id: string): ModelCard => cardOf(visible(id)),

    platforms: (): Platform[] =>
      catalogue.platforms().map(({ name, alias, website, abort_stops_billing }) => ({
        name,
        alias,
        website,
        configured: catalogue.configured(name),
        abort_stops_billing,
        models: catalogue.models().filter(({ offers }) => offers.some(({ platform }) => platform === name))
          .length,
      })),

    /** What a usage costs on each platform that offers the model, the cheapest first. */
    costs(id: string, usage: Usage) {
      const model = visible(id)
      return {
        model: id,
        name: model.name,
        discount: model.discount,
        costs: costsOf(model, usage, catalogue.platforms()),
      }
    },
  }
}
