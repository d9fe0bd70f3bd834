import { useMemo } from 'react'
import type { ModelCard } from '#contract/models.ts'
import type { PriceUnit } from '#contract/price-units.ts'
import { calculatorText, modelsText } from '../../text/models.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useModelCards } from '../queries.ts'
import { useAddress } from '../useAddress.ts'
import { short } from '../figures.ts'
import { unitOf } from '../units.ts'
import { readCount } from './amounts.ts'
import { counts } from './counts.ts'
import { CalculatorForm } from './CalculatorForm.tsx'
import { Results } from './Results.tsx'
import { readUsage, writeUsage } from './usage.ts'
import { useSettled } from './useSettled.ts'

/** Long enough that a number can be typed to its end. */
const SETTLE_MS = 250
/** What is compared before anybody chose. */
const AT_FIRST = 3

/** Form and comparison. All of it is in the address, so that a comparison can be shared. */
export function Calculator() {
  const { data, error, refetch } = useModelCards()
  const [usage, setUsage] = useAddress(readUsage, writeUsage)
  const cards = useMemo(() => data?.models ?? [], [data])
  const chosen = useMemo(() => chosenOf(cards, usage.models), [cards, usage.models])
  const unit = chosen[0] ? unitOf(chosen[0]) : 'token'
  const { start, units, most } = counts[unit]
  const input = readCount(useSettled(usage.input, SETTLE_MS) ?? start, most)
  const output = readCount(useSettled(unit === 'token' ? usage.output : '', SETTLE_MS))
  if (error) {
    return (
      <EmptyState
        title={modelsText.failed}
        description={error.message}
        action={<Button onClick={() => void refetch()}>{modelsText.retry}</Button>}
      />
    )
  }
  if (!data) return <Skeleton className="h-80 w-full" />
  const gone = usage.models?.filter((id) => !cards.some((card) => card.id === id)) ?? []
  return (
    <div className="@container">
      <p className="mb-6 text-ink2">{calculatorText.lead}</p>
      <div className="grid gap-8 @3xl:grid-cols-[20rem_minmax(0,1fr)]">
        <CalculatorForm
          cards={cards}
          chosen={chosen}
          unit={unit}
          usage={usage}
          onChange={(change) => setUsage({ ...usage, ...change })}
        />
        <div className="flex min-w-0 flex-col gap-3">
          {gone.length > 0 && (
            <p role="status" className="text-[13px] text-warning">
              {calculatorText.gone(gone.join('、'))}
            </p>
          )}
          <Results
            chosen={chosen}
            tokens={input === null || output === null ? null : usedOf(unit, input * units, output)}
            amount={calculatorText.amounts[unit](short(input ?? 0), short(output ?? 0))}
            calls={readCount(usage.calls) ?? 0}
          />
        </div>
      </div>
    </div>
  )
}

/** Pictures are paid by the call, everything else by how much of it there is. */
const usedOf = (unit: PriceUnit, input: number, output: number) =>
  unit === 'picture' ? { input: 0, output: 0, times: input } : { input, output, times: 1 }

/** In the order in which they were chosen; before that, the first models that chat. */
function chosenOf(cards: ModelCard[], ids: string[] | null): ModelCard[] {
  if (!ids) return cards.filter(({ type }) => type === 'chat').slice(0, AT_FIRST)
  return ids.flatMap((id) => cards.find((card) => card.id === id) ?? [])
}
