import { Link } from '@inertiajs/react'
import { shellText } from '#web/text/shell.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageScroll } from '#web/shell/PageBody.tsx'

const text = shellText.notFound

export default function NotFound() {
  return (
    <AppPage title={text.title}>
      <PageScroll>
        <div className="flex flex-1 flex-col items-center justify-center gap-3 px-6 pb-32 text-center">
          <p aria-hidden className="text-poster leading-none font-semibold text-ink3 tabular-nums">
            404
          </p>
          <h1 className="text-xl font-semibold">{text.title}</h1>
          <p className="text-ink2">{text.hint}</p>
          <div className="mt-4 flex gap-3">
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
