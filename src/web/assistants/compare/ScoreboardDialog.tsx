import { Trophy } from 'lucide-react'
import { useState } from 'react'
import { questionKinds, type QuestionKind } from '#contract/compare-limits.ts'
import type { Score } from '#contract/compare/compare.ts'
import { formatFineAmount, formatPercent, formatSeconds } from '#web/core/numberFormat.ts'
import { useModelName } from '#web/conversations/model-picker/model-picker.tsx'
import { compareText } from '#web/text/compare/compare.ts'
import { scoreboardText as text } from '#web/text/compare/scoreboard.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { useScoreboard } from './state/scoreboardQuery.ts'

const dayChoices = [7, 30, 90]
const UNKNOWN = '—'

/** Results of the models in the person's own votes, by period and kind of question. */
export default function ScoreboardDialog({ onClose }: { onClose: () => void }) {
  const [days, setDays] = useState<number | null>(null)
  const [kind, setKind] = useState<QuestionKind | null>(null)
  const query = useScoreboard(days, kind)
  const getName = useModelName()
  const counts = new Map(query.data?.kinds.map((one) => [one.kind, one.votes]))
  return (
    <Dialog kind="wide" open onOpenChange={onClose} title={text.title} description={text.hint}>
      <div className="flex flex-wrap gap-2">
        <Select
          aria-label={text.days}
          value={days ?? ''}
          onChange={({ target }) => setDays(Number(target.value) || null)}
          className="w-auto!"
        >
          <option value="">{text.allDays}</option>
          {dayChoices.map((choice) => (
            <option key={choice} value={choice}>
              {text.lastDays(choice)}
            </option>
          ))}
        </Select>
        <Select
          aria-label={text.kind}
          value={kind ?? ''}
          onChange={({ target }) => setKind((target.value || null) as QuestionKind | null)}
          className="w-auto!"
        >
          <option value="">{text.allKinds}</option>
          {questionKinds.map((choice) => (
            <option key={choice} value={choice}>
              {text.kindCount(compareText.kinds[choice], counts.get(choice) ?? 0)}
            </option>
          ))}
        </Select>
      </div>
      <QueryView
        query={query}
        failed={text.failed}
        skeleton={<Skeleton className="h-48" />}
        isEmpty={({ scores }) => !scores.length}
        empty={<EmptyState icon={<Trophy size={28} />} title={text.empty} description={text.emptyHint} />}
      >
        {({ scores }) => (
          <>
            <Table
              label={text.title}
              columns={createColumns(getName)}
              rows={scores}
              rowKey={({ model }) => model}
            />
            <p className="text-xs text-ink3">{text.note}</p>
          </>
        )}
      </QueryView>
    </Dialog>
  )
}

const createColumns = (getName: (model: string) => string): Column<Score>[] => [
  {
    key: 'model',
    title: text.model,
    className: 'min-w-36 font-medium',
    cell: ({ model }) => getName(model),
  },
  { key: 'rating', title: text.rating, align: 'right', cell: ({ rating }) => rating },
  { key: 'rate', title: text.winRate, className: 'min-w-32', cell: (score) => <WinRate {...score} /> },
  {
    key: 'results',
    title: text.results,
    align: 'right',
    className: 'whitespace-nowrap',
    cell: ({ wins, ties, losses }) => `${wins} / ${ties} / ${losses}`,
  },
  {
    key: 'first',
    title: text.firstText,
    align: 'right',
    className: 'whitespace-nowrap',
    cell: ({ first_text_ms }) => formatSeconds(first_text_ms),
  },
  {
    key: 'speed',
    title: text.speed,
    align: 'right',
    className: 'whitespace-nowrap',
    cell: ({ tokens_per_second: rate }) => (rate === null ? UNKNOWN : text.perSecond(rate.toFixed(0))),
  },
  {
    key: 'coins',
    title: text.coins,
    align: 'right',
    cell: ({ amount }) => (amount === null ? UNKNOWN : formatFineAmount(amount)),
  },
]

/** The rate as a number and a bar; a `progress` element, because the page's policy allows no inline style. */
const WinRate = ({ win_rate }: Score) => (
  <span className="flex items-center gap-2">
    <span className="w-10 text-right">{formatPercent(win_rate)}</span>
    <progress
      aria-hidden
      max={1}
      value={win_rate}
      className="h-1.5 w-16 appearance-none overflow-hidden rounded-full bg-fill2 [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-fill2 [&::-webkit-progress-value]:bg-accent"
    />
  </span>
)
