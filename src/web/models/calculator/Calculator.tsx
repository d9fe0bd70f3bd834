import { useMemo } from 'react'
import type { ModelCard } from '#contract/models.ts'
import { getPriceUnit, type PriceUnit } from '#contract/price-units.ts'
import { calculatorText, modelsText } from '#web/text/models.ts'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useModelCards } from '../queries.ts'
import { useUrlState } from '#web/core/useUrlState.ts'
import { formatCount } from '#web/core/numberFormat.ts'
import { parseCount } from './amounts.ts'
import { unitInputs } from './unitInputs.ts'
import { CalculatorForm } from './CalculatorForm.tsx'
import { CostResults } from './CostResults.tsx'
import { parseUsage, serializeUsage } from './usage.ts'
import { useDebounced } from '#web/core/useDebounced.ts'

/** Long enough to type a number to its end. */
const DEBOUNCE_MS = 250
/** Number of models compared before the person chooses any. */
const DEFAULT_MODEL_COUNT = 3

/** Form and comparison. All input is kept in the address, so that a comparison can be shared. */
export function Calculator() {
  const query = useModelCards()
  const { data } = query
  const [usage, setUsage] = useUrlState(parseUsage, serializeUsage)
  const cards = useMemo(() => data?.models.filter(({ available }) => available) ?? [], [data])
  const chosenCards = useMemo(() => resolveChosenModels(cards, usage.models), [cards, usage.models])
  const unit = chosenCards[0] ? getPriceUnit(chosenCards[0]) : 'token'
  const { initial, unitsPerEntry, max } = unitInputs[unit]
  const input = parseCount(useDebounced(usage.input, DEBOUNCE_MS) ?? initial, max)
  const output = parseCount(useDebounced(unit === 'token' ? usage.output : '', DEBOUNCE_MS))
  const missingIds = usage.models?.filter((id) => !cards.some((card) => card.id === id)) ?? []
  return (
    <QueryView query={query} failed={modelsText.failed} skeleton={<Skeleton className="h-80 w-full" />}>
      {() => (
        <div className="@container">
          <p className="mb-6 text-ink2">{calculatorText.lead}</p>
          <div className="grid gap-8 @3xl:grid-cols-[20rem_minmax(0,1fr)]">
            <CalculatorForm
              cards={cards}
              chosen={chosenCards}
              unit={unit}
              usage={usage}
              onChange={(change) => setUsage({ ...usage, ...change })}
            />
            <div className="flex min-w-0 flex-col gap-3">
              {missingIds.length > 0 && (
                <p role="status" className="text-note text-warning">
                  {calculatorText.gone(missingIds.join('、'))}
                </p>
              )}
              <CostResults
                chosen={chosenCards}
                tokens={
                  input === null || output === null ? null : toTokenUsage(unit, input * unitsPerEntry, output)
                }
                amount={calculatorText.amounts[unit](formatCount(input ?? 0), formatCount(output ?? 0))}
                calls={parseCount(usage.calls) ?? 0}
              />
            </div>
          </div>
        </div>
      )}
    </QueryView>
  )
}

/** Pictures are charged by the call, everything else by amount. */
const toTokenUsage = (unit: PriceUnit, input: number, output: number) =>
  unit === 'picture' ? { input: 0, output: 0, times: input } : { input, output, times: 1 }

/** Returns the chosen models in the order of choice; before any choice, the first models that chat. */
function resolveChosenModels(cards: ModelCard[], ids: string[] | null): ModelCard[] {
  if (!ids) return cards.filter(({ type }) => type === 'chat').slice(0, DEFAULT_MODEL_COUNT)
  return ids.flatMap((id) => cards.find((card) => card.id === id) ?? [])
}
