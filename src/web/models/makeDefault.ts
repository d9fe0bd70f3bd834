import type { ModelCard } from '#contract/models.ts'
import { chooseModel, saveDefaultModel } from '#web/conversations/model-picker/model-picker.tsx'

/** Makes a model the one that new conversations begin with, in this browser too, and shows the result. */
export async function makeDefault(model: Pick<ModelCard, 'id' | 'name'>): Promise<void> {
  // An earlier choice in this browser would override the default.
  if (await saveDefaultModel(model)) chooseModel(model.id)
}
