import { X } from 'lucide-react'
import { formatPercent } from '#web/core/numberFormat.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { Button } from '#web/ui/Button.tsx'
import type { ShownColumn } from '../state/compareView.ts'
import { useDiffHighlight } from './useDiffHighlight.ts'

type Props = { first: ShownColumn; second: ShownColumn; onClose: () => void }

/** Says how much two answers have in common, and marks the differences in them. */
export default function DiffBar({ first, second, onClose }: Props) {
  const diff = useDiffHighlight(first.answer?.id ?? '', second.answer?.id ?? '')
  const count = (ranges: readonly { start: number; end: number }[]) =>
    ranges.reduce((sum, { start, end }) => sum + end - start, 0)
  return (
    <div className="flex shrink-0 items-center gap-3 border-b bg-accent-soft px-4 py-1.5 text-note">
      <p role="status" className="min-w-0 flex-1 tabular-nums">
        {diff &&
          compareText.diffResult(
            formatPercent(diff.same),
            compareText.diffOnly(first.name, count(diff.first)),
            compareText.diffOnly(second.name, count(diff.second)),
          )}
        {diff?.isCoarse && ` · ${compareText.diffSlow}`}
      </p>
      <Button size="sm" onClick={onClose}>
        <X size={14} aria-hidden />
        {compareText.diffClose}
      </Button>
    </div>
  )
}
