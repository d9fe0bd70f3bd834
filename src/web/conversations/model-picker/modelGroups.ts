import type { ChatModel } from '#contract/models.ts'
import { modelPickerText } from '#web/text/modelPicker.ts'
import { isUsable } from './usableModels.ts'

export type ModelGroup = { name: string; models: ChatModel[] }

const toSearchText = ({ name, id, desc, vendor, tags, platform, capabilities }: ChatModel): string =>
  [
    name,
    id,
    desc,
    vendor,
    ...tags,
    platform,
    ...capabilities.map((one) => modelPickerText.capabilities[one] ?? one),
  ]
    .join('\n')
    .toLowerCase()

/** Returns the models that contain every word of `query`. */
export function filterModels(models: readonly ChatModel[], query: string): ChatModel[] {
  const terms = query.toLowerCase().split(/\s+/)
  return models.filter((model) => {
    const text = toSearchText(model)
    return terms.every((word) => text.includes(word))
  })
}

/**
 * Groups the models by maker, the recently asked ones in a group on top. Within a group usable models come first; otherwise the
 * catalogue's order stays.
 */
export function groupModels(
  models: readonly ChatModel[],
  recent: readonly string[],
  guest: boolean,
): ModelGroup[] {
  const recentlyUsed = recent.flatMap(
    (id) => models.find((model) => model.id === id && isUsable(model, guest)) ?? [],
  )
  const others = models.filter((model) => !recentlyUsed.includes(model))
  const byMaker = Map.groupBy(others, ({ vendor, platform }) => vendor || platform)
  const makers = [...byMaker].map(([name, some]) => ({ name, models: sortUsableFirst(some, guest) }))
  return [
    ...(recentlyUsed.length ? [{ name: modelPickerText.recent, models: recentlyUsed }] : []),
    ...makers.filter((group) => group.models.some((model) => isUsable(model, guest))),
    ...makers.filter((group) => !group.models.some((model) => isUsable(model, guest))),
  ]
}

const sortUsableFirst = (models: readonly ChatModel[], guest: boolean): ChatModel[] => [
  ...models.filter((model) => isUsable(model, guest)),
  ...models.filter((model) => !isUsable(model, guest)),
]
