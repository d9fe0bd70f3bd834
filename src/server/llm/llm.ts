import type { Catalogue, Log } from './catalogue.ts'
import type { Take } from './chat.ts'
import { streamAnthropic } from './dialects/anthropic.ts'
import { streamGemini } from './dialects/gemini.ts'
import { streamLocal } from './dialects/local.ts'
import { streamOpenai } from './dialects/openai.ts'
import { readOnAfterAbort } from './drain.ts'
import type { Dialect, Offer } from './offers.ts'
import { answer } from './routing/answer.ts'
import type { AnswerRequest, Stream } from './routing/answer.ts'
import { openBudget } from './routing/budget.ts'
import { openHealth, routeKey } from './routing/health.ts'
import { openMeasures } from './routing/measures.ts'
import type { Measure } from './routing/measures.ts'
import { planRoute } from './routing/plan.ts'
import type { RoutePlan } from './routing/plan.ts'
import type { RoutePreference } from './routing/preference.ts'
import { REAL_TIME } from './routing/time.ts'
import type { Time } from './routing/time.ts'
import { askWork } from './works/ask.ts'
import type { Work, WorkPart } from './works/work.ts'

/** The door to every model. */
export type Llm = {
  /** Who can serve the model now, in the file's order. */
  offers(model_id: string): Offer[]
  /** Asks one platform and hands on what it says. Throws UpstreamError, or the signal's reason when the caller aborts. */
  stream: Stream
  /** Who would be asked for a model now, in which order and why. No candidates for an unknown model. */
  plan(model_id: string, preference: RoutePreference): RoutePlan
  /** Asks a plan's platforms until one answers; `answer` of routing/answer.ts says what it hands on and throws. */
  answer(asked: AnswerRequest): Promise<void>
  /** The same for a work that is no chat. */
  perform(asked: AnswerRequest<Work, WorkPart>): Promise<void>
  /** Platform → its rolling figures for a model, of every offer of the file; null where nothing was measured. */
  measures(model_id: string): Map<string, Measure>
}

type Options = { catalogue: Catalogue; log: Log; time?: Time }

/** Opens the door on a catalogue. */
export function openLlm({ catalogue, log, time = REAL_TIME }: Options): Llm {
  const health = openHealth(time)
  const measures = openMeasures(time.now)
  const routing = { time, health, measures, budget: openBudget(time.now), log }
  const stream: Stream = (offer, request, signal, take) => {
    const { platform, model } = offer
    const ask = (own: AbortSignal, hear: Take): Promise<void> =>
      DIALECTS[offer.dialect](offer, request, own, hear)
    const noting: Take = (part) => {
      // Usage that cannot be true is the operator's business: their platform misreports.
      if (part.type === 'usage_flagged')
        log.warn({ platform, model, reported: part.detail }, 'upstream usage refused')
      return take(part)
    }
    if (offer.abort_stops_billing) return ask(signal, noting)
    return readOnAfterAbort(ask, signal, noting, (usage) =>
      log.info({ platform, model, usage }, 'stopped answer read to its bill'),
    )
  }

  return {
    offers: (model_id) => catalogue.offers(model_id),
    stream,

    plan(model_id, preference) {
      const { offers: entries = [], discount = 1 } = catalogue.model(model_id) ?? {}
      const offers = catalogue.offers(model_id)
      return planRoute({
        entries,
        discount,
        offers,
        preference,
        condition: health.condition,
        measure: (key) => measures.of(key),
      })
    },

    answer: (asked) => answer(routing, stream, asked),
    perform: (asked) => answer(routing, askWork, asked),

    measures: (model_id) =>
      new Map(
        // Of two offers of one platform, the first speaks for it.
        catalogue
          .model(model_id)
          ?.offers.map((entry) => [entry.platform, measures.of(routeKey(entry))] as const)
          .toReversed(),
      ),
  }
}

const DIALECTS: Record<Dialect, Stream> = {
  openai: streamOpenai,
  anthropic: streamAnthropic,
  gemini: streamGemini,
  local: (_, request, signal, take) => streamLocal(request, signal, take),
}
