import { Link } from '@inertiajs/react'
import { formatFineAmount } from '#web/core/numberFormat.ts'
import { MakerFace } from '#web/ui/makers/makers.tsx'
import { homeText } from '#web/text/site/home.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { useChatModels } from './chatModels.ts'
import { HomeSection } from './HomeSection.tsx'
import { calculateExample, exampleTokens } from './priceExample.ts'

const text = homeText.prices
const formatTokens = (tokens: number): string => tokens.toLocaleString('zh-CN')
const formatPrice = (price: number): string => (price ? formatFineAmount(price) : text.free)
const formatTotal = (yuan: number): string => (yuan ? text.yuan(formatFineAmount(yuan)) : text.free)

/** Cost of an everyday task at the present prices, and the pricing rule in three sentences. */
export function PriceExample() {
  const models = useChatModels()
  const { isReached, rows } = calculateExample(models ?? [])
  return (
    <HomeSection title={text.title} lead={text.lead}>
      <div className="grid gap-10 lg:grid-cols-[minmax(0,7fr)_minmax(0,4fr)] lg:gap-16">
        <div>
          <p className="mb-4 leading-reading text-ink2">
            {text.example(formatTokens(exampleTokens.input), formatTokens(exampleTokens.output))}
          </p>
          <div className="min-h-80">
            {rows.length > 0 && (
              <table aria-label={text.label} className="w-full border-collapse tabular-nums">
                <thead>
                  <tr className="text-note text-ink2">
                    <th scope="col" className="pb-2 text-left font-normal">
                      {text.model}
                    </th>
                    <th scope="col" className="pb-2 text-right font-normal max-md:hidden">
                      {text.input}
                    </th>
                    <th scope="col" className="pb-2 text-right font-normal max-md:hidden">
                      {text.output}
                    </th>
                    <th scope="col" className="pb-2 text-right font-normal">
                      {text.total}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map(({ id, name, maker, input, output, total }) => (
                    <tr key={id} className="border-t">
                      <td className="py-2.5 pr-3">
                        <Link
                          href={`/models/${encodeURIComponent(id)}`}
                          className="flex items-center gap-2.5 font-medium underline-offset-4 hover:underline"
                        >
                          <MakerFace maker={maker} size={26} />
                          {name}
                        </Link>
                      </td>
                      <td className="py-2.5 text-right text-ink2 max-md:hidden">{formatPrice(input)}</td>
                      <td className="py-2.5 pl-4 text-right text-ink2 max-md:hidden">
                        {formatPrice(output)}
                      </td>
                      <td className="py-2.5 pl-4 text-right font-semibold whitespace-nowrap">
                        {formatTotal(total)}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
            {rows.length > 0 && !isReached && <p className="mt-3 text-note text-ink3">{text.exampleNone}</p>}
          </div>
          <div className="mt-5 flex flex-wrap gap-2">
            <Link href="/calculator" className={buttonClass()}>
              {text.all}
            </Link>
            <Link href="/docs/charging" className={buttonClass({ variant: 'ghost' })}>
              {text.charging}
            </Link>
          </div>
        </div>
        <ul className="flex flex-col gap-6">
          {text.rules.map((rule) => (
            <li key={rule.title} className="border-l-2 border-accent/40 pl-5">
              <h3 className="font-semibold">{rule.title}</h3>
              <p className="mt-1 leading-reading text-ink2">{rule.text}</p>
            </li>
          ))}
        </ul>
      </div>
    </HomeSection>
  )
}
