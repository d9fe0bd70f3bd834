import type { ModelCard } from '#contract/models.ts'
import { chooseModel, saveDefaultModel } from '#web/model-picker/model-picker.tsx'

/** Makes a model the one that new conversations begin with, in this browser too, and says how that went. */
export async function makeDefault(model: Pick<ModelCard, 'id' | 'name'>): Promise<void> {
  // An earlier choice of this browser would go before the default.
  if (await saveDefaultModel(model)) chooseModel(model.id)
}
