import { Link } from '@inertiajs/react'
import { useConfig } from '#web/core/page.ts'
import { CodeSample } from '#web/ui/CodeSample.tsx'
import { GatewayCalls } from '#web/docs/gateway/GatewayCalls.tsx'
import { ErrorTable, UnitTable } from '#web/docs/gateway/GatewayTables.tsx'
import { BulletList, ArticleSection } from '#web/docs/ArticleSection.tsx'
import { ArticleSections, DocsArticle } from '#web/docs/DocsArticle.tsx'
import { CopyableFields } from '#web/ui/CopyableFields.tsx'
import { gatewayText } from '#web/text/docs/gateway.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageScroll } from '#web/shell/PageBody.tsx'

const links = [
  { href: '/profile/api-keys', label: gatewayText.keys },
  { href: '/models', label: gatewayText.models },
]

const sections = [
  { id: 'start', title: gatewayText.startTitle },
  { id: 'calls', title: gatewayText.callsTitle },
  { id: 'stream', title: gatewayText.streamTitle },
  { id: 'background', title: gatewayText.backgroundTitle },
  { id: 'errors', title: gatewayText.errorsTitle },
  { id: 'retry', title: gatewayText.retryTitle },
  { id: 'rates', title: gatewayText.ratesTitle },
  { id: 'widget', title: gatewayText.widgetTitle },
  { id: 'units', title: gatewayText.unitsTitle },
]

/** Explains how a program calls models. */
export default function GatewayGuide() {
  const { app_url: origin } = useConfig()
  return (
    <AppPage title={gatewayText.title}>
      <PageScroll>
        <DocsArticle
          title={gatewayText.title}
          lead={gatewayText.lead}
          path="/docs/gateway"
          list={<ArticleSections sections={sections} />}
        >
          <div className="mt-5 flex flex-wrap gap-2">
            {links.map(({ href, label }) => (
              <Link key={href} href={href} className={buttonClass()}>
                {label}
              </Link>
            ))}
          </div>
          <ArticleSection id="start" title={gatewayText.startTitle}>
            <div className="rounded-xl bg-panel">
              <CopyableFields settings={gatewayText.addresses(origin)} />
            </div>
            <BulletList lines={gatewayText.start} />
          </ArticleSection>
          <ArticleSection id="calls" title={gatewayText.callsTitle}>
            <GatewayCalls origin={origin} />
          </ArticleSection>
          <ArticleSection id="stream" title={gatewayText.streamTitle}>
            <BulletList lines={gatewayText.stream} />
            <CodeSample code={gatewayText.streamExample} label={gatewayText.streamTitle} />
          </ArticleSection>
          <ArticleSection id="background" title={gatewayText.backgroundTitle}>
            <BulletList lines={gatewayText.background} />
          </ArticleSection>
          <ArticleSection id="errors" title={gatewayText.errorsTitle}>
            <p className="leading-reading break-words text-ink2">{gatewayText.errorsLead}</p>
            <div className="rounded-xl bg-panel">
              <ErrorTable />
            </div>
          </ArticleSection>
          <ArticleSection id="retry" title={gatewayText.retryTitle}>
            <BulletList lines={gatewayText.retry} />
          </ArticleSection>
          <ArticleSection id="rates" title={gatewayText.ratesTitle}>
            <BulletList lines={gatewayText.rates} />
          </ArticleSection>
          <ArticleSection id="widget" title={gatewayText.widgetTitle}>
            <p className="leading-reading text-ink2">{gatewayText.widgetLead}</p>
            <CodeSample code={gatewayText.widgetExample(origin)} label={gatewayText.widgetTitle} />
            <BulletList lines={gatewayText.widget} />
          </ArticleSection>
          <ArticleSection id="units" title={gatewayText.unitsTitle}>
            <p className="leading-reading text-ink2">{gatewayText.unitsLead}</p>
            <div className="rounded-xl bg-panel">
              <UnitTable />
            </div>
            <p className="leading-reading text-ink2">{gatewayText.bill}</p>
          </ArticleSection>
        </DocsArticle>
      </PageScroll>
    </AppPage>
  )
}
