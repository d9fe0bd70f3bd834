import { EyeOff, Plus, X } from 'lucide-react'
import { MAX_COMPARED_MODELS } from '#contract/compare-limits.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { Button } from '#web/ui/Button.tsx'
import { ModelSelect } from './columns/ModelSelect.tsx'

type Props = {
  models: readonly { id: string; name: string }[]
  onAdd: (id: string) => void
  onRemove: (id: string) => void
  blind: boolean
  onBlind: (blind: boolean) => void
}

/** The models chosen for a comparison, before its first question. */
export function ModelChips({ models, onAdd, onRemove, blind, onBlind }: Props) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ul aria-label={compareText.models} className="contents">
        {models.map(({ id, name }) => (
          <li
            key={id}
            className="flex h-9 max-w-full items-center rounded-full border border-line2 bg-panel pl-3.5 max-md:h-11"
          >
            <span className="min-w-0 truncate">{name}</span>
            <button
              type="button"
              aria-label={compareText.removeModel(name)}
              onClick={() => onRemove(id)}
              className="ml-0.5 grid size-8 place-items-center rounded-full text-ink3 transition-colors hover:text-ink max-md:size-11"
            >
              <X size={14} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      {models.length < MAX_COMPARED_MODELS && (
        <ModelSelect
          chosen={models.map(({ id }) => id)}
          onChoose={onAdd}
          trigger={(trigger) => (
            <Button {...trigger} variant="ghost" className="rounded-full! border border-dashed border-line2">
              <Plus size={16} aria-hidden />
              {compareText.addModel}
            </Button>
          )}
        />
      )}
      <Button
        variant="ghost"
        aria-pressed={blind}
        data-tooltip={compareText.blindHint}
        onClick={() => onBlind(!blind)}
        className="rounded-full! aria-pressed:bg-accent-soft! aria-pressed:text-accent!"
      >
        <EyeOff size={16} aria-hidden />
        {compareText.blind}
      </Button>
      <p role="status" className="text-note text-ink2">
        {models.length < 2 ? compareText.tooFew : ''}
      </p>
    </div>
  )
}
