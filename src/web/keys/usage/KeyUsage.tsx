import { useState } from 'react'
import type { UsagePeriods } from '#contract/keys.ts'
import { keysText } from '../../text/keys.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useKeyUsage } from '../queries.ts'
import { DailyBars } from './DailyBars.tsx'
import { ModelShares } from './ModelShares.tsx'
import { PeriodPicker } from './PeriodPicker.tsx'

/** Days of a period, today included. */
const daysByPeriod: Record<keyof UsagePeriods, number> = { today: 1, week: 7, month: 30 }

/** Coins, calls and tokens of a key: by period, by day and by model. */
export function KeyUsage({ id }: { id: string }) {
  const { data, error, refetch } = useKeyUsage(id)
  const [period, setPeriod] = useState<keyof UsagePeriods>('month')
  if (error) {
    const retry = <Button onClick={() => void refetch()}>{keysText.retry}</Button>
    return <EmptyState title={keysText.usageFailed} description={error.message} action={retry} />
  }
  if (!data) return <UsageSkeleton />
  if (!data.models.length) return <EmptyState title={keysText.noUsage} description={keysText.noUsageHint} />
  return (
    <div className="flex flex-col gap-6">
      <PeriodPicker usage={data} chosen={period} onChoose={setPeriod} />
      <DailyBars days={data.days} shown={daysByPeriod[period]} />
      <ModelShares models={data.models} period={period} />
      <p className="text-xs text-ink3">{keysText.usageHint}</p>
    </div>
  )
}

const UsageSkeleton = () => (
  <div className="flex flex-col gap-6">
    <Skeleton className="h-24" />
    <Skeleton className="h-28" />
    <Skeleton className="h-16" />
  </div>
)
