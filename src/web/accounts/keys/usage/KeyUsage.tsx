import { useState } from 'react'
import type { UsagePeriods } from '#contract/keys.ts'
import { keysText } from '#web/text/keys.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useKeyUsage } from '../keyCalls.ts'
import { DailyBars } from './DailyBars.tsx'
import { ModelShares } from './ModelShares.tsx'
import { PeriodPicker } from './PeriodPicker.tsx'

/** Days of each period, today included. */
const daysByPeriod: Record<keyof UsagePeriods, number> = { today: 1, week: 7, month: 30 }

/** Coins, calls and tokens of a key: by period, by day and by model. */
export function KeyUsage({ id }: { id: string }) {
  const query = useKeyUsage(id)
  const [period, setPeriod] = useState<keyof UsagePeriods>('month')
  return (
    <QueryView
      query={query}
      failed={keysText.usageFailed}
      skeleton={<UsageSkeleton />}
      isEmpty={({ models }) => !models.length}
      empty={<EmptyState title={keysText.noUsage} description={keysText.noUsageHint} />}
    >
      {(usage) => (
        <div className="flex flex-col gap-6">
          <PeriodPicker usage={usage} chosen={period} onChoose={setPeriod} />
          <DailyBars days={usage.days} shownCount={daysByPeriod[period]} />
          <ModelShares models={usage.models} period={period} />
          <p className="text-xs text-ink3">{keysText.usageHint}</p>
        </div>
      )}
    </QueryView>
  )
}

const UsageSkeleton = () => (
  <div className="flex flex-col gap-6">
    <Skeleton className="h-24" />
    <Skeleton className="h-28" />
    <Skeleton className="h-16" />
  </div>
)
