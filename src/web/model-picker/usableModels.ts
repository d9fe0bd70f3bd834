import type { ChatModel } from '#contract/models.ts'

/** Whether this visitor may ask this model now. */
export const isUsable = (model: ChatModel, guest: boolean): boolean =>
  model.available && (model.guest || !guest)
