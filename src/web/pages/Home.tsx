import { Link } from '@inertiajs/react'
import { ArrowRight } from 'lucide-react'
import type { PageProps } from '#contract/pages.ts'
import { useConfig } from '#web/core/page.ts'
import { useIsHydrated } from '#web/core/useIsHydrated.ts'
import { useUser } from '#web/core/user.ts'
import { HomeFooter } from '#web/home/HomeFooter.tsx'
import { LiveDemo } from '#web/home/LiveDemo.tsx'
import { Makers } from '#web/home/Makers.tsx'
import { OneAddress, type ProgramSample } from '#web/home/OneAddress.tsx'
import { Poem } from '#web/home/Poem.tsx'
import { PriceExample } from '#web/home/PriceExample.tsx'
import { RecordedRun } from '#web/home/RecordedRun.tsx'
import { SiteStats } from '#web/home/SiteStats.tsx'
import { Survives } from '#web/home/Survives.tsx'
import { buildSamples } from '#web/accounts/keys/samples.ts'
import { homeText } from '#web/text/site/home.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageScroll } from '#web/shell/PageBody.tsx'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Water } from '#web/ui/water/Water.tsx'

// From the chat's own chunk, loaded with the first question.
const SideChat = lazyComponent(async () => ({ default: (await import('./Chat.tsx')).SideChat }), {
  fallback: () => <Skeleton className="m-6 h-6 w-2/3" />,
})

/** Builds the same call of the site at `origin` in three languages. */
function buildPrograms(origin: string): ProgramSample[] {
  const { curl, openai_python, openai_node } = buildSamples({
    origin,
    model: 'deepseek-chat',
    api_key: 'YOUR_API_KEY',
  })
  return Object.entries({ Python: openai_python, 'Node.js': openai_node, curl }).flatMap(
    ([language, sample]) => ('codes' in sample ? [{ language, code: sample.codes[0]?.code ?? '' }] : []),
  )
}

/** Presents the product: a question to try, models and prices, resilience, and live statistics. */
export default function Home({ signup_coins }: PageProps<'Home'>) {
  const user = useUser()
  const { app_url, guest_turns } = useConfig()
  const origin = useIsHydrated() ? location.origin : new URL(app_url).origin
  return (
    <AppPage title={homeText.title}>
      <PageScroll>
        <div className="relative overflow-hidden">
          <Water arrives className="inset-x-0 top-0 h-[46rem] w-full max-md:h-[34rem] max-md:opacity-60" />
          <div className="relative mx-auto w-full max-w-6xl px-5 pb-16 md:px-8">
            <section className="relative grid items-center gap-x-12 gap-y-14 pt-8 md:pt-16 lg:min-h-[38rem] lg:grid-cols-[minmax(0,1fr)_minmax(0,27rem)] xl:pr-24">
              <div>
                <h1 className="max-w-[4.2em] font-display text-hero-sm leading-tight font-semibold md:text-hero xl:text-poster">
                  {homeText.heading}
                </h1>
                <p className="mt-6 max-w-[30em] text-base leading-[1.9] text-ink2">{homeText.lead}</p>
                <div className="mt-8 flex flex-wrap items-center gap-3">
                  <Link href="/chat" className={`${buttonClass({ variant: 'primary', size: 'lg' })} px-6!`}>
                    {user ? homeText.goOn : homeText.start}
                    <ArrowRight size={18} aria-hidden />
                  </Link>
                  {!user && (
                    <Link href="/login" className={buttonClass({ size: 'lg' })}>
                      {homeText.login}
                    </Link>
                  )}
                </div>
                {!user && (
                  <p className="mt-4 text-note text-ink2">
                    {[
                      guest_turns > 0 ? homeText.guest(guest_turns) : '',
                      signup_coins > 0 ? homeText.signup(signup_coins.toLocaleString('zh-CN')) : '',
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </p>
                )}
              </div>
              {!user && guest_turns > 0 ? (
                <LiveDemo renderChat={(props, key) => <SideChat key={key} {...props} />} />
              ) : (
                <RecordedRun />
              )}
              <Poem className="absolute top-8 right-0 text-base max-md:text-sm md:top-16 lg:hidden xl:block xl:text-lg" />
            </section>
            <Makers />
            <OneAddress origin={origin} samples={buildPrograms(origin)} />
            <PriceExample />
            <Survives />
            <SiteStats />
            <HomeFooter />
          </div>
        </div>
      </PageScroll>
    </AppPage>
  )
}
