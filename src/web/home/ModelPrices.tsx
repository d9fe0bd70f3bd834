import { Link } from '@inertiajs/react'
import { request } from '#web/core/api.ts'
import { useDeferredQuery } from '#web/core/deferredQuery.ts'
import { formatCoins } from '#web/core/format.ts'
import { homeText } from '#web/text/site/home.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { buttonClass } from '#web/ui/Button.tsx'

const text = homeText.prices
const MAX_MODELS = 6
const formatPrice = (price: number): string => (price ? formatCoins(price) : text.free)

/** What some of the models cost that can be asked now, and the rule in three sentences. */
export function ModelPrices() {
  const { data } = useDeferredQuery({
    queryKey: ['chat', 'models'],
    queryFn: ({ signal }) => request('GET /api/chat/models', {}, { signal }),
    staleTime: 60_000,
  })
  const models = data?.models.filter(({ available, local }) => available && !local).slice(0, MAX_MODELS)
  return (
    <section aria-labelledby="prices" className="mt-20">
      <h2 id="prices" className="text-title-sm font-semibold tracking-tight">
        {text.title}
      </h2>
      <p className="mt-3 max-w-[40em] leading-reading text-pretty text-ink2">{text.lead}</p>
      <div className="mt-8 grid gap-10 lg:grid-cols-[minmax(0,7fr)_minmax(0,4fr)] lg:gap-16">
        <div className="min-h-40">
          {models && models.length > 0 && (
            <table aria-label={text.label} className="w-full border-collapse tabular-nums">
              <thead>
                <tr className="text-note text-ink2">
                  <th scope="col" className="pb-2 text-left font-normal">
                    {text.model}
                  </th>
                  <th scope="col" className="pb-2 text-right font-normal">
                    {text.input}
                  </th>
                  <th scope="col" className="pb-2 text-right font-normal">
                    {text.output}
                  </th>
                </tr>
              </thead>
              <tbody>
                {models.map(({ id, name, tags, input_price, output_price }) => (
                  <tr key={id} className="border-t">
                    <td className="py-3 pr-3">
                      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                        <Link
                          href={`/models/${encodeURIComponent(id)}`}
                          className="font-medium underline-offset-4 hover:underline"
                        >
                          {name}
                        </Link>
                        {tags.slice(0, 2).map((tag) => (
                          <Badge key={tag}>{tag}</Badge>
                        ))}
                      </span>
                    </td>
                    <td className="py-3 text-right whitespace-nowrap">{formatPrice(input_price)}</td>
                    <td className="py-3 pl-4 text-right whitespace-nowrap">{formatPrice(output_price)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          <p className="mt-3 text-note text-ink3">{models?.length === 0 ? text.none : text.unit}</p>
          <div className="mt-5 flex flex-wrap gap-2">
            <Link href="/models" className={buttonClass()}>
              {text.all}
            </Link>
            <Link href="/docs/charging" className={buttonClass({ variant: 'ghost' })}>
              {text.charging}
            </Link>
          </div>
        </div>
        <ul className="flex flex-col gap-6">
          {text.rules.map((rule) => (
            <li key={rule.title} className="border-l-2 pl-5">
              <h3 className="font-semibold">{rule.title}</h3>
              <p className="mt-1 leading-reading text-pretty text-ink2">{rule.text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
