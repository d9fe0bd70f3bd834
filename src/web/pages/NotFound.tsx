import { Link } from '@inertiajs/react'
import { shellText } from '#web/text/shell.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageScroll } from '#web/shell/PageBody.tsx'
import { Water } from '#web/ui/water/Water.tsx'

const text = shellText.notFound

export default function NotFound() {
  return (
    <AppPage title={text.title}>
      <PageScroll>
        <div className="relative flex min-h-full flex-col items-center justify-center gap-4 overflow-hidden px-6 pb-24 text-center">
          <Water className="inset-0 h-full w-full" />
          <p aria-hidden className="relative font-display text-poster leading-none font-semibold text-accent">
            404
          </p>
          <h1 className="relative font-display text-title-sm leading-snug font-semibold">{text.title}</h1>
          <p className="relative text-ink2">{text.hint}</p>
          <div className="relative mt-4 flex gap-3">
            <Link href="/" className={buttonClass()}>
              {text.home}
            </Link>
            <Link href="/chat" className={buttonClass({ variant: 'primary' })}>
              {text.chat}
            </Link>
          </div>
        </div>
      </PageScroll>
    </AppPage>
  )
}
