import type { ComponentProps } from 'react'
import type { ChatModel } from '#contract/models.ts'
import { useUser } from '#web/core/user.ts'
import { ModelMenu, useModelChoice } from '#web/conversations/model-picker/model-picker.tsx'

type Props = Pick<ComponentProps<typeof ModelMenu>, 'onChoose' | 'trigger'> & {
  /** Models that are compared already; a model has at most one column. */
  chosen: readonly string[]
}

/** Models that this person may ask; the menu searches them, and one is chosen at a time. */
export function ModelSelect({ chosen, ...menu }: Props) {
  const { models } = useModelChoice(useUser() === null, '')
  return <ModelMenu models={models.filter(({ id }) => !chosen.includes(id))} current={null} {...menu} />
}

/** Display names of models; their ids until the names are known. */
export const toNames = (
  models: readonly Pick<ChatModel, 'id' | 'name'>[],
  ids: readonly string[],
): string[] => ids.map((id) => models.find((model) => model.id === id)?.name ?? id)
