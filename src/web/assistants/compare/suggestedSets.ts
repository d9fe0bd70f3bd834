import type { ChatModel } from '#contract/models.ts'

export type SetName = 'popular' | 'thinking' | 'cheap' | 'coding' | 'seeing'
export type SuggestedSet = { name: SetName; models: ChatModel[] }

const SET_SIZE = 4

/** Prefers different makers: a second model of a maker comes only after one of every maker. */
function pickVaried(models: readonly ChatModel[]): ChatModel[] {
  const byMaker = Map.groupBy(models, ({ vendor, platform }) => vendor || platform)
  const first = [...byMaker.values()].flatMap((some) => some.slice(0, 1))
  return [...first, ...models.filter((model) => !first.includes(model))].slice(0, SET_SIZE)
}

const byPrice = (models: readonly ChatModel[]): ChatModel[] =>
  models.toSorted((a, b) => a.input_price + a.output_price - (b.input_price + b.output_price))

/**
 * Suggested sets from the models that this person can use, in the catalogue's order. Each has at least two models, and no two
 * sets are the same.
 */
export function suggestSets(usableModels: readonly ChatModel[]): SuggestedSet[] {
  const withTag = (tag: ChatModel['tags'][number]) => usableModels.filter(({ tags }) => tags.includes(tag))
  const sets: SuggestedSet[] = [
    { name: 'popular', models: pickVaried(usableModels) },
    { name: 'thinking', models: pickVaried(withTag('推理')) },
    { name: 'cheap', models: pickVaried(byPrice(withTag('便宜'))) },
    { name: 'coding', models: pickVaried(withTag('代码')) },
    { name: 'seeing', models: pickVaried(withTag('视觉')) },
  ]
  const seenKeys = new Set<string>()
  return sets.filter(({ models }) => {
    const key = models
      .map(({ id }) => id)
      .toSorted()
      .join()
    const isNew = models.length >= 2 && !seenKeys.has(key)
    seenKeys.add(key)
    return isNew
  })
}
