import { ArrowDownWideNarrow, Diff, EyeOff, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { MAX_COMPARED_MODELS } from '#contract/compare-limits.ts'
import { formatFineAmount } from '#web/core/numberFormat.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { Button } from '#web/ui/Button.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import type { Comparison } from './state/comparison.ts'
import type { CompareView } from './state/compareView.ts'
import { sortKeys, sumAmounts, type SortKey } from './state/figures.ts'
import { ModelSelect } from './columns/ModelSelect.tsx'

type Props = {
  comparison: Comparison
  view: CompareView
  sort: SortKey
  onSort: (sort: SortKey) => void
  onAdd: (model: string) => void
  onBlind: (blind: boolean) => void
  /** Null while there are fewer than two answers to compare. */
  onDiff: (() => void) | null
}

/** The bar above the columns: actions for all of them, and their total cost. */
export function CompareBar({ comparison, view, sort, onSort, onAdd, onBlind, onDiff }: Props) {
  const { columns, blind, has_more } = comparison
  const all = sumAmounts(columns.flatMap(({ messages }) => messages))
  const turn = sumAmounts(view.columns.flatMap(({ answer }) => answer ?? []))
  return (
    <div className="flex shrink-0 items-center gap-1 overflow-x-auto border-b px-2 py-1 [scrollbar-width:none] md:px-4">
      {columns.length < MAX_COMPARED_MODELS && (
        <ModelSelect
          chosen={columns.map(({ model }) => model)}
          onChoose={onAdd}
          trigger={(trigger) => (
            <BarButton {...trigger} icon={<Plus size={15} aria-hidden />}>
              {compareText.addModel}
            </BarButton>
          )}
        />
      )}
      <Menu
        items={sortKeys.map((key) => ({
          label: compareText.sortBy[key],
          checked: key === sort,
          onSelect: () => onSort(key),
        }))}
        trigger={(trigger) => (
          <BarButton
            {...trigger}
            disabled={view.isHidden}
            icon={<ArrowDownWideNarrow size={15} aria-hidden />}
          >
            {sort === 'order' ? compareText.sort : compareText.sortBy[sort]}
          </BarButton>
        )}
      />
      <BarButton
        disabled={!onDiff}
        onClick={() => onDiff?.()}
        aria-haspopup="dialog"
        icon={<Diff size={15} aria-hidden />}
      >
        {compareText.diff}
      </BarButton>
      <BarButton
        aria-pressed={blind}
        data-tooltip={compareText.blindHint}
        onClick={() => onBlind(!blind)}
        icon={<EyeOff size={15} aria-hidden />}
        className="aria-pressed:bg-accent-soft! aria-pressed:text-accent!"
      >
        {compareText.blind}
      </BarButton>
      {!view.isHidden && all > 0 && (
        <p className="ml-auto shrink-0 pl-3 text-note whitespace-nowrap text-ink2 tabular-nums">
          {compareText.turnTotal(formatFineAmount(turn))}
          {all !== turn && (
            <span className="text-ink3">
              {' · '}
              {(has_more ? compareText.totalSoFar : compareText.total)(formatFineAmount(all))}
            </span>
          )}
        </p>
      )}
    </div>
  )
}

type BarButtonProps = Parameters<typeof Button>[0] & { icon: ReactNode }

const BarButton = ({ icon, children, className = '', ...button }: BarButtonProps) => (
  <Button variant="ghost" size="sm" {...button} className={`gap-1.5! px-2.5! font-normal! ${className}`}>
    {icon}
    {children}
  </Button>
)
