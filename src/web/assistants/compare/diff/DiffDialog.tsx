import { useState } from 'react'
import { compareText } from '#web/text/compare/compare.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import type { ShownColumn } from '../state/compareView.ts'

type Props = {
  /** Columns with an answer. */
  columns: readonly ShownColumn[]
  onStart: (models: readonly [string, string]) => void
  onClose: () => void
}

/** Asks which two answers to compare word by word. */
export default function DiffDialog({ columns, onStart, onClose }: Props) {
  const models = columns.map(({ column }) => column.model)
  const [chosenModels, setChosenModels] = useState<readonly string[]>(models.slice(0, 2))
  const toggle = (model: string) =>
    // A third model replaces the first.
    setChosenModels((now) =>
      now.includes(model) ? now.filter((other) => other !== model) : [...now, model].slice(-2),
    )
  const [first, second] = models.filter((model) => chosenModels.includes(model))
  const start = () => {
    if (!first || !second) return
    onStart([first, second])
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={compareText.diffTitle}
      footer={
        <Button variant="primary" disabled={!second} onClick={start}>
          {compareText.diffStart}
        </Button>
      }
    >
      <div role="group" aria-label={compareText.diffTitle} className="flex flex-col gap-1">
        {columns.map(({ column, name }) => (
          <label
            key={column.model}
            className="flex min-h-10 items-center gap-2.5 rounded-lg px-2 hover:bg-fill max-md:min-h-11"
          >
            <input
              type="checkbox"
              checked={chosenModels.includes(column.model)}
              onChange={() => toggle(column.model)}
              className="size-4 accent-(--accent)"
            />
            {name}
          </label>
        ))}
      </div>
    </Dialog>
  )
}
