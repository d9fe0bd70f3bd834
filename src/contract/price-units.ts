import type { ModelCard } from './models.ts'

/**
 * What a model is priced by, by its type: `input` of an offer is for a million of them. A picture is paid by the call. This
 * file has no schema, so that the browser can read it.
 */
export const priceUnits = {
  chat: 'token',
  embedding: 'token',
  rerank: 'token',
  image: 'picture',
  tts: 'character',
  asr: 'millisecond',
} as const satisfies Record<ModelCard['type'], string>

export type PriceUnit = (typeof priceUnits)[keyof typeof priceUnits]
