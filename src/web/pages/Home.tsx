import { Link } from '@inertiajs/react'
import { ArrowRight } from 'lucide-react'
import type { PageProps } from '#contract/pages.ts'
import { useConfig } from '#web/core/page.ts'
import { useUser } from '#web/core/user.ts'
import { LiveDemo } from '#web/home/LiveDemo.tsx'
import { ModelPrices } from '#web/home/ModelPrices.tsx'
import { SampleChat } from '#web/home/SampleChat.tsx'
import { SiteStats } from '#web/home/SiteStats.tsx'
import { homeText } from '#web/text/site/home.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageScroll } from '#web/shell/PageBody.tsx'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'

// Out of the chat's own chunk, once somebody asks.
const SideChat = lazyComponent(async () => ({ default: (await import('./Chat.tsx')).SideChat }), {
  fallback: () => <Skeleton className="m-6 h-6 w-2/3" />,
})

const footerLinks = [
  { href: '/docs/charging', label: homeText.prices.charging },
  { href: '/service', label: homeText.service },
  { href: '/partner', label: homeText.partner },
] as const

/** What it is, to try at once, what it costs, and what happens here. */
export default function Home({ signup_coins }: PageProps<'Home'>) {
  const user = useUser()
  const { guest_turns } = useConfig()
  return (
    <AppPage title={homeText.title}>
      <PageScroll>
        <div className="mx-auto w-full max-w-6xl px-5 pb-24 md:px-8">
          <section className="grid items-center gap-12 pt-10 pb-20 md:pt-20 md:pb-28 lg:grid-cols-[minmax(0,6fr)_minmax(0,5fr)] lg:gap-16">
            <div>
              <p className="text-note text-ink2">
                {homeText.poem}
                <span className="ml-2 text-ink3">{homeText.poet}</span>
              </p>
              <h1 className="mt-5 text-hero-sm leading-tight font-semibold tracking-tight text-balance md:text-hero">
                {homeText.heading}
              </h1>
              <p className="mt-5 max-w-[34em] text-base leading-[1.9] text-pretty text-ink2">
                {homeText.lead}
              </p>
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
                <p className="mt-4 text-note text-ink3">
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
              <SampleChat />
            )}
          </section>
          <ul className="grid gap-x-12 gap-y-10 border-t pt-12 md:grid-cols-2 lg:grid-cols-4 lg:gap-x-8">
            {homeText.traits.map((trait) => (
              <li key={trait.title}>
                <h2 className="text-reading font-semibold">{trait.title}</h2>
                <p className="mt-2 leading-reading text-pretty text-ink2">{trait.text}</p>
              </li>
            ))}
          </ul>
          <ModelPrices />
          <SiteStats />
          <section className="mt-16 flex flex-wrap items-center justify-between gap-5 rounded-2xl border bg-panel p-6 md:px-8">
            <div>
              <h2 className="text-reading font-semibold">{homeText.apiTitle}</h2>
              <p className="mt-1 text-ink2">{homeText.apiText}</p>
            </div>
            <Link href="/docs/api" className={buttonClass()}>
              {homeText.apiLink}
            </Link>
          </section>
          <nav aria-label={homeText.footer} className="mt-12 border-t pt-6">
            <ul className="flex flex-wrap gap-x-6 gap-y-1 text-note text-ink2">
              {footerLinks.map(({ href, label }) => (
                <li key={href}>
                  <Link href={href} className="flex min-h-8 items-center hover:text-ink max-md:min-h-11">
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        </div>
      </PageScroll>
    </AppPage>
  )
}
