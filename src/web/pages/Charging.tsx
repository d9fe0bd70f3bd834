import { Link } from '@inertiajs/react'
import { BulletList, ArticleSection } from '#web/docs/ArticleSection.tsx'
import { ArticleSections, DocsArticle } from '#web/docs/DocsArticle.tsx'
import { chargingText } from '#web/text/docs/charging.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageScroll } from '#web/shell/PageBody.tsx'

type ChargingCase = { when: string; charge: string; note: string }

const columns: Column<ChargingCase>[] = [
  { key: 'when', title: chargingText.caseLabel, className: 'w-1/3 min-w-32', cell: ({ when }) => when },
  {
    key: 'charge',
    title: chargingText.chargeLabel,
    className: 'min-w-44',
    cell: ({ charge, note }) => (
      <>
        <span className="block font-medium">{charge}</span>
        <span className="block leading-relaxed text-ink2">{note}</span>
      </>
    ),
  },
]

const sections = [
  { id: 'cases', title: chargingText.casesTitle },
  { id: 'unit', title: chargingText.unitTitle },
  { id: 'coins', title: chargingText.coinsTitle },
  { id: 'formula', title: chargingText.formulaTitle },
]

/** Shows the published charging rule. */
export default function Charging() {
  return (
    <AppPage title={chargingText.title}>
      <PageScroll>
        <DocsArticle
          title={chargingText.title}
          lead={chargingText.lead}
          path="/docs/charging"
          list={<ArticleSections sections={sections} />}
        >
          <div className="mt-5 flex flex-wrap gap-2">
            <Link href="/models" className={buttonClass()}>
              {chargingText.models}
            </Link>
            <Link href="/calculator" className={buttonClass()}>
              {chargingText.calculator}
            </Link>
          </div>
          <ArticleSection id="cases" title={chargingText.casesTitle}>
            {chargingText.groups.map(({ title, cases }) => (
              <div key={title}>
                <h3 className="mb-2 text-note font-medium text-ink2">{title}</h3>
                <div className="rounded-xl bg-panel">
                  <Table label={title} columns={columns} rows={cases} rowKey={({ when }) => when} />
                </div>
              </div>
            ))}
          </ArticleSection>
          <ArticleSection id="unit" title={chargingText.unitTitle}>
            <BulletList lines={chargingText.unit} />
          </ArticleSection>
          <ArticleSection id="coins" title={chargingText.coinsTitle}>
            <BulletList lines={chargingText.coins} />
          </ArticleSection>
          <ArticleSection id="formula" title={chargingText.formulaTitle}>
            <pre
              tabIndex={0}
              aria-label={chargingText.formulaLabel}
              className="overflow-x-auto rounded-xl border bg-fill p-4 font-sans text-note leading-loose"
            >
              {chargingText.formula.join('\n')}
            </pre>
            <p className="leading-reading text-ink2">{chargingText.formulaNote}</p>
            <p className="leading-reading text-ink2">{chargingText.tiers}</p>
            <p className="leading-reading text-ink2 tabular-nums">{chargingText.example}</p>
          </ArticleSection>
        </DocsArticle>
      </PageScroll>
    </AppPage>
  )
}
