import { useEffect, useEffectEvent } from 'react'
import type { ChatModel } from '#contract/models.ts'
import { chooseModels, getLastModels } from './state/columnModels.ts'
import { isLocalComparison } from './state/comparisonStore.ts'
import type { Comparison } from './state/comparison.ts'
import { suggestSets } from './suggestedSets.ts'

/** Number of models proposed to somebody who has not compared any yet. */
const FIRST_MODELS = 3

/** Begins a new comparison with the usable models of the last one, or the first comparison with suggested models. */
export function useFirstModels(
  id: string,
  comparison: Comparison | undefined,
  usableModels: readonly ChatModel[],
): void {
  const isNew = isLocalComparison(id) && !comparison && usableModels.length > 0
  const chooseFirstModels = useEffectEvent(() => {
    const last = getLastModels().filter((model) => usableModels.some((one) => one.id === model))
    const [suggestedSet] = suggestSets(usableModels)
    const first = suggestedSet?.models.slice(0, FIRST_MODELS) ?? usableModels.slice(0, 1)
    void chooseModels(id, last.length > 1 ? last : first.map((model) => model.id))
  })
  useEffect(() => {
    if (isNew) chooseFirstModels()
  }, [isNew])
}
