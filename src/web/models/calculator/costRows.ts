import type { CallResponse } from '#contract/call.ts'
import type { AllCalls } from '#contract/calls.ts'
import type { ModelCard } from '#contract/models.ts'
import { listReachedOffers } from '../offers.ts'

/** The cost of one model on one platform, in coins; `month` is null unless calls a day are given. */
export type CostRow = {
  key: string
  name: string
  alias: string
  configured: boolean
  input: number
  output: number
  total: number
  yuan: number
  month: number | null
  /** Input tokens above which the prices apply. */
  tier: number | null
  cheapest: boolean
}

type Costs = Pick<CallResponse<AllCalls['POST /api/token/costs']>, 'model' | 'name' | 'costs'>

const DAYS_A_MONTH = 30

/** Returns the callable offers of all models in one list, the cheapest first, which are marked unless all cost the same. */
export function buildCostRows(responses: Costs[], cards: readonly ModelCard[], calls: number): CostRow[] {
  const all = responses.flatMap(({ model, name, costs }) => {
    const card = cards.find(({ id }) => id === model)
    const reached = new Map((card ? listReachedOffers(card) : []).map((offer) => [offer.platform, offer]))
    const shownCosts = costs.filter(({ platform }) => reached.has(platform))
    return shownCosts.map(({ platform, alias, input, output, total, yuan, tier }) => ({
      key: `${model} ${platform}`,
      name,
      alias,
      configured: reached.get(platform)!.configured,
      input,
      output,
      total,
      yuan,
      tier,
      month: calls ? total * calls * DAYS_A_MONTH : null,
    }))
  })
  const totals = all.map(({ total }) => total)
  const min = Math.min(...totals)
  const hasDifference = totals.some((total) => total > min)
  return all
    .map((row) => ({ ...row, cheapest: hasDifference && row.total === min }))
    .sort((a, b) => a.total - b.total)
}
