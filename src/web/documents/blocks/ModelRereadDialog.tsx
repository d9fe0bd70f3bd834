import { useState } from 'react'
import type { Block } from '#contract/blocks.ts'
import type { ChatModel } from '#contract/models.ts'
import { formatCoins } from '#web/core/format.ts'
import { useUser } from '#web/core/user.ts'
import { blocksText } from '#web/text/blocks.ts'
import { uiText } from '#web/text/ui.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { FormField } from '#web/ui/form/FormField.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { rereadBlock } from './blockActions.tsx'
import { useRereadCost } from './queries.ts'

type Props = {
  block: Block
  /** Pages of a PDF; null for a picture as a whole. */
  pages: number[] | null
  /** Models that accept images, at least one. */
  models: ChatModel[]
  open: boolean
  onClose: () => void
}

/** Has a vision model read pages or a picture again, after showing the estimated cost. */
export function ModelRereadDialog({ block, pages, models, open, onClose }: Props) {
  const [chosenId, setChosenId] = useState<string | null>(null)
  const model = models.find(({ id }) => id === chosenId) ?? models[0]
  const count = pages?.length ?? 1
  const start = () => {
    onClose()
    if (model) void rereadBlock(block, { pages: pages ?? undefined, model: model.id })
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title={blocksText.rereadByModelTitle(pages ? count : null)}
      description={blocksText.rereadByModelHint}
      footer={
        <>
          <Button onClick={onClose}>{uiText.cancel}</Button>
          <Button variant="primary" onClick={start}>
            {blocksText.rereadStart}
          </Button>
        </>
      }
    >
      <FormField label={blocksText.visionModel}>
        {(field) => (
          <Select {...field} value={model?.id} onChange={({ target }) => setChosenId(target.value)}>
            {models.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </FormField>
      {open && model && <Cost model={model.id} count={count} />}
    </Dialog>
  )
}

/** Shows a cost below two decimals as less than 0.01, not as zero. */
const formatRange = ({ min, max }: { min: number; max: number }): string =>
  max > 0 && max < 0.01
    ? blocksText.lessThanCoins(formatCoins(0.01))
    : [...new Set([min, max].map(formatCoins))].join('–')

function Cost({ model, count }: { model: string; count: number }) {
  const { data, isError } = useRereadCost(model, count)
  const balance = useUser()?.balance ?? 0
  const range = data && formatRange(data)
  return (
    <div role="status" className="rounded-xl bg-fill px-4 py-3 text-note text-ink2 tabular-nums">
      <p>
        {range !== undefined && blocksText.rereadCost(range, count)}
        {range === undefined && (isError ? blocksText.rereadCostFailed : blocksText.rereadCostPending)}
      </p>
      <p className={data && data.min > balance ? 'text-danger' : undefined}>
        {blocksText.balance(formatCoins(balance))}
      </p>
    </div>
  )
}
