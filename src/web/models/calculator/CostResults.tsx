import { Scale } from 'lucide-react'
import type { ModelCard } from '#contract/models.ts'
import { getPriceUnit } from '#contract/price-units.ts'
import { calculatorText } from '#web/text/models.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { formatFineAmount } from '#web/core/numberFormat.ts'
import { CostTable } from './CostTable.tsx'
import { buildCostRows } from './costRows.ts'
import { useCosts } from './useCosts.ts'

type Props = {
  chosen: ModelCard[]
  /** Null while a field does not hold a count. */
  tokens: { input: number; output: number; times: number } | null
  /** The usage that the costs are for, as the note below states it. */
  amount: string
  /** Calls a day; 0 if not given. */
  calls: number
}

/** Shows the costs of these tokens for the chosen models, side by side. */
export function CostResults({ chosen, tokens, amount, calls }: Props) {
  const query = useCosts(chosen, tokens)
  if (!chosen.length) {
    return (
      <EmptyState
        icon={<Scale size={28} />}
        title={calculatorText.noModels}
        description={calculatorText.noModelsHint}
      />
    )
  }
  if (!tokens) return <EmptyState title={calculatorText.noUsage} description={calculatorText.noUsageHint} />
  return (
    <div role={query.error && !query.data ? 'alert' : undefined}>
      <QueryView query={query} failed={calculatorText.failed} skeleton={<Skeleton className="h-48 w-full" />}>
        {(costs) => <Costs rows={buildCostRows(costs, chosen, calls)} chosen={chosen} amount={amount} />}
      </QueryView>
    </div>
  )
}

type CostsProps = { rows: ReturnType<typeof buildCostRows>; chosen: ModelCard[]; amount: string }

function Costs({ rows, chosen, amount }: CostsProps) {
  const best = rows.find(({ cheapest }) => cheapest)
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="text-ink2 tabular-nums">
        {best
          ? calculatorText.best(best.name, best.alias, formatFineAmount(best.total))
          : rows.length > 1 && calculatorText.allSame}
      </p>
      <CostTable rows={rows} parts={chosen.some((card) => getPriceUnit(card) === 'token')} />
      <p className="text-note text-ink3 tabular-nums">{calculatorText.unit(amount)}</p>
    </div>
  )
}
