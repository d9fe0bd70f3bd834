import type { ChatModel } from '#contract/models.ts'
import { pickerText } from '../../text/picker.ts'
import { usable } from '../usable.ts'

export type ModelGroup = { name: string; models: ChatModel[] }

const words = ({ name, id, desc, platform, capabilities }: ChatModel): string =>
  [name, id, desc, platform, ...capabilities.map((one) => pickerText.capabilities[one] ?? one)]
    .join('\n')
    .toLowerCase()

/** The models that have every word of `q`. */
export function foundModels(models: readonly ChatModel[], q: string): ChatModel[] {
  const wanted = q.toLowerCase().split(/\s+/)
  return models.filter((model) => {
    const text = words(model)
    return wanted.every((word) => text.includes(word))
  })
}

/**
 * The models by their makers: those asked last in a group of their own on top, what can be used before what cannot, the
 * catalogue's order otherwise.
 */
export function groupModels(
  models: readonly ChatModel[],
  recent: readonly string[],
  guest: boolean,
): ModelGroup[] {
  const lately = recent.flatMap((id) => models.find((model) => model.id === id && usable(model, guest)) ?? [])
  const others = models.filter((model) => !lately.includes(model))
  const byMaker = Map.groupBy(others, ({ platform }) => platform)
  const makers = [...byMaker].map(([name, some]) => ({ name, models: usableFirst(some, guest) }))
  return [
    ...(lately.length ? [{ name: pickerText.recent, models: lately }] : []),
    ...makers.filter((group) => group.models.some((model) => usable(model, guest))),
    ...makers.filter((group) => !group.models.some((model) => usable(model, guest))),
  ]
}

const usableFirst = (models: readonly ChatModel[], guest: boolean): ChatModel[] => [
  ...models.filter((model) => usable(model, guest)),
  ...models.filter((model) => !usable(model, guest)),
]
