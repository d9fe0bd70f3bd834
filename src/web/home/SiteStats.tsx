import type { DailyMetric } from '#contract/stats.ts'
import { request } from '#web/core/api.ts'
import { useDeferredQuery } from '#web/core/deferredQuery.ts'
import { formatCoins } from '#web/core/format.ts'
import { formatCount } from '#web/core/numberFormat.ts'
import { homeText } from '#web/text/site/home.ts'
import { useChatModels } from './chatModels.ts'
import { HomeSection } from './HomeSection.tsx'

const MAX_MODELS = 3

/** The site's usage today and in the last seven days; nothing while there is none. */
export function SiteStats() {
  const { data } = useDeferredQuery({
    queryKey: ['stats'],
    queryFn: ({ signal }) => request('GET /api/stats', {}, { signal }),
    staleTime: 60_000,
  })
  const models = useChatModels()
  const getName = (id: string): string => models?.find((model) => model.id === id)?.name ?? id
  if (!data?.weekly_models.length) return null
  const { requests, tokens, amounts, weekly_models } = data
  const figures: [name: string, metric: DailyMetric, value: string][] = [
    [homeText.stats.requests, requests, formatCount(requests.value)],
    [homeText.stats.tokens, tokens, formatCount(tokens.value)],
    [homeText.stats.amounts, amounts, formatCoins(amounts.value)],
  ]
  return (
    <HomeSection title={homeText.stats.title}>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-6 lg:grid-cols-4">
        {figures.map(([name, { old_value, grow_rate }, value]) => (
          <div key={name}>
            <dt className="text-note text-ink2">{name}</dt>
            <dd className="mt-1 text-title leading-tight font-semibold tabular-nums">
              {value}
              {old_value > 0 && (
                <span className="ml-2 text-xs font-normal text-ink3">{homeText.stats.growth(grow_rate)}</span>
              )}
            </dd>
          </div>
        ))}
        <div>
          <dt className="text-note text-ink2">{homeText.stats.models}</dt>
          <dd className="mt-1 leading-reading wrap-anywhere">
            {weekly_models
              .slice(0, MAX_MODELS)
              .map(({ model }) => getName(model))
              .join('、')}
          </dd>
        </div>
      </dl>
    </HomeSection>
  )
}
