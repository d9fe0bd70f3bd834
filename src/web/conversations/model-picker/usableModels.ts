import type { ChatModel } from '#contract/models.ts'

/** Tells whether this visitor may ask this model. */
export const isUsable = (model: ChatModel, guest: boolean): boolean =>
  model.available && (model.guest || !guest)
