import type { PromptCategory } from '#contract/prompts.ts'
import { promptsText } from '#web/text/prompts.ts'
import { ChoiceChips } from '#web/ui/form/ChoiceChips.tsx'

type Props = {
  categories: PromptCategory[]
  /** The person may have prompts of their own. */
  hasOwnPrompts: boolean
  selected: string
  onChoose: (category: string) => void
}

/** Chooses one category at a time. */
export function CategoryFilter({ categories, hasOwnPrompts, selected, onChoose }: Props) {
  const choices = [
    { value: '', label: promptsText.all },
    ...(hasOwnPrompts ? [{ value: 'own', label: promptsText.own }] : []),
    ...categories.map(({ id, name }) => ({ value: id, label: name })),
  ]
  return (
    <ChoiceChips label={promptsText.categories} choices={choices} chosen={selected} onChoose={onChoose} />
  )
}
