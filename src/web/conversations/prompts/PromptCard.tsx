import { Pencil, Trash2 } from 'lucide-react'
import type { Prompt } from '#contract/prompts.ts'
import { promptsText } from '#web/text/prompts.ts'
import { IconButton } from '#web/ui/IconButton.tsx'

type Props = { prompt: Prompt; onChoose: () => void; onEdit: () => void; onDelete: () => void }

/** Shows one prompt; choosing it writes its text into the composer. */
export function PromptCard({ prompt: { title, desc, text, own }, onChoose, onEdit, onDelete }: Props) {
  return (
    <li className="flex items-center rounded-xl border transition-colors focus-within:border-line2 hover:border-line2 hover:bg-fill/60">
      <button
        type="button"
        aria-label={promptsText.use(title)}
        onClick={onChoose}
        className="min-w-0 flex-1 self-stretch rounded-xl px-3.5 py-2.5 text-left -outline-offset-2"
      >
        <span className="block truncate font-medium">{title}</span>
        <span className="mt-0.5 block truncate text-note text-ink2">{desc || text}</span>
      </button>
      {own && (
        <span className="flex shrink-0 pr-2">
          <IconButton label={promptsText.edit(title)} size="sm" onClick={onEdit}>
            <Pencil size={15} aria-hidden />
          </IconButton>
          <IconButton label={promptsText.remove(title)} size="sm" onClick={onDelete}>
            <Trash2 size={15} aria-hidden />
          </IconButton>
        </span>
      )}
    </li>
  )
}
