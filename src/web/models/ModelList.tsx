import { clsx } from 'clsx'
import type { ModelCard } from '#contract/models.ts'
import { modelsText } from '#web/text/models.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { ModelRow, rowColumnsClass } from './ModelRow.tsx'

/** In the order of the columns. Rows repeat them as labels, so they need not be read out here. */
const columnTitles = [
  modelsText.model,
  modelsText.input,
  modelsText.output,
  modelsText.context,
  modelsText.maxOutput,
  modelsText.speed,
]

export function ModelList({ label, cards }: { label: string; cards: ModelCard[] }) {
  return (
    <div className="@container rounded-2xl border">
      <div
        aria-hidden
        className={clsx(
          'hidden rounded-t-2xl border-b bg-fill px-4 py-2 text-note text-ink2',
          rowColumnsClass,
        )}
      >
        {columnTitles.map((heading, column) => (
          <span key={heading} className={clsx(column > 0 && 'text-right')}>
            {heading}
          </span>
        ))}
      </div>
      <ul aria-label={label}>
        {cards.map((card) => (
          <ModelRow key={card.id} card={card} />
        ))}
      </ul>
    </div>
  )
}

export function ModelListSkeleton() {
  return (
    <div className="rounded-2xl border">
      {[56, 40, 64, 48, 52, 60].map((width) => (
        <div key={width} className="flex flex-col gap-2 border-t px-4 py-4 first:border-t-0">
          <Skeleton className="h-5 w-40" />
          <Skeleton className="h-4 w-72 max-w-full" />
        </div>
      ))}
    </div>
  )
}
