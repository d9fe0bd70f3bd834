import type { Catalogue, Log } from './catalogue.ts'
import type { ChatPart, ChatRequest } from './chat.ts'
import { streamLocal } from './dialects/local.ts'
import { streamChat } from './dialects/openai.ts'
import type { Offer } from './offers.ts'

/** The door to every model. */
export type Llm = {
  /** Who can serve the model now, best first. */
  offers(model_id: string): Offer[]
  /** Asks one platform. Throws UpstreamError, or the signal's reason when the caller aborts. */
  stream(offer: Offer, request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatPart>
}

/** Opens the door on a catalogue. */
export function openLlm({ catalogue, log }: { catalogue: Catalogue; log: Log }): Llm {
  return {
    offers: (model_id) => catalogue.offers(model_id),
    stream: (offer, request, signal) => noted(speak(offer, request, signal), offer, log),
  }
}

function speak(offer: Offer, request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatPart> {
  return offer.dialect === 'local' ? streamLocal(request, signal) : streamChat(offer, request, signal)
}

/** Usage that cannot be true is the operator's business: their platform misreports. */
async function* noted(
  parts: AsyncIterable<ChatPart>,
  offer: Offer,
  log: Log,
): AsyncGenerator<ChatPart, void, undefined> {
  for await (const part of parts) {
    if (part.type === 'usage_flagged') {
      log.warn(
        { platform: offer.platform, model: offer.model, reported: part.detail },
        'upstream usage refused',
      )
    }
    yield part
  }
}
