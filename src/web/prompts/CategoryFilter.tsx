import type { PromptCategory } from '#contract/prompts.ts'
import { promptsText } from '#web/text/prompts.ts'

type Props = {
  categories: PromptCategory[]
  /** The person may have prompts of their own. */
  own: boolean
  selected: string
  onChoose: (category: string) => void
}

/** One category at a time. */
export function CategoryFilter({ categories, own, selected, onChoose }: Props) {
  const all = [
    { id: '', name: promptsText.all },
    ...(own ? [{ id: 'own', name: promptsText.own }] : []),
    ...categories,
  ]
  return (
    <div role="group" aria-label={promptsText.categories} className="flex flex-wrap gap-1.5">
      {all.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          aria-pressed={id === selected}
          onClick={() => onChoose(id)}
          className="h-7.5 shrink-0 rounded-full border px-3 text-note text-ink2 transition-colors hover:bg-fill aria-pressed:border-btn aria-pressed:bg-btn aria-pressed:text-btn-ink max-md:h-11 max-md:px-4"
        >
          {name}
        </button>
      ))}
    </div>
  )
}
