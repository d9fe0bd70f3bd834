import { Link } from '@inertiajs/react'
import type { PageProps } from '#contract/pages.ts'
import { ArticleSection, BulletList } from '#web/docs/ArticleSection.tsx'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageScroll } from '#web/shell/PageBody.tsx'
import { serviceText as text } from '#web/text/site/service.ts'
import { buttonClass } from '#web/ui/Button.tsx'

/** Shows terms, privacy, charging, and how to reach the operator. */
export default function Service({ contact }: PageProps<'Service'>) {
  return (
    <AppPage title={text.title}>
      <PageScroll>
        <article className="mx-auto w-full max-w-3xl px-4 pt-6 pb-24 md:px-8">
          <h1 className="text-2xl font-semibold">{text.title}</h1>
          <p className="mt-3 text-reading leading-reading text-ink2">{text.lead}</p>
          {text.sections.map(({ id, title, lines }) => (
            <ArticleSection key={id} id={id} title={title}>
              <BulletList lines={lines} />
            </ArticleSection>
          ))}
          <ArticleSection id="charging" title={text.charging}>
            <BulletList lines={text.chargingLines} />
            <div className="flex flex-wrap gap-2">
              <Link href="/docs/charging" className={buttonClass()}>
                {text.chargingLink}
              </Link>
              <Link href="/credit" className={buttonClass()}>
                {text.plansLink}
              </Link>
            </div>
          </ArticleSection>
          <ArticleSection id="contact" title={text.contact}>
            <p className="leading-reading text-ink2">
              {contact ? text.contactLine : text.noContact}
              {contact && <span className="font-medium text-ink wrap-anywhere">{contact}</span>}
            </p>
          </ArticleSection>
        </article>
      </PageScroll>
    </AppPage>
  )
}
