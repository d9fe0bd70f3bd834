import { Link } from '@inertiajs/react'
import type { PageProps } from '#contract/pages.ts'
import { formatDateTime } from '#web/core/format.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { ContinueShare, SharedMessages } from '#web/conversations/shares/shares.ts'
import { sharesText } from '#web/text/shares.ts'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageScroll } from '#web/shell/PageBody.tsx'
import { Water } from '#web/ui/water/Water.tsx'

/** Shows a shared conversation to everybody who has the link. */
export default function Share({ id, shared }: PageProps<'Share'>) {
  const { title, messages, user, agent, created_at } = shared
  return (
    <AppPage title={title}>
      <PageScroll>
        <div className="relative overflow-hidden">
          {/* It fades where it is cut off. */}
          <div className="absolute inset-x-0 -top-16 h-80 [mask-image:linear-gradient(#000_50%,transparent)]">
            <Water lines={22} className="inset-0 size-full opacity-50" />
          </div>
          <div className="relative mx-auto w-full max-w-[51rem] px-4 pt-4 pb-20 md:px-6 md:pt-10">
            <header className="border-b pb-5">
              <h1 className="text-2xl font-semibold wrap-anywhere">{title}</h1>
              <div className="mt-3 flex items-center gap-2.5 text-note text-ink2">
                <Avatar name={user.name} src={user.avatar} />
                <div>
                  <p>{sharesText.sharedBy(user.name)}</p>
                  {agent && (
                    <p>
                      {sharesText.answeredBy}
                      <Link
                        href={`/chat/agent/${agent.uuid}`}
                        className="text-accent underline underline-offset-2"
                      >
                        {agent.name}
                      </Link>
                    </p>
                  )}
                  <p className="text-xs text-ink3 tabular-nums">
                    {sharesText.on(formatDateTime(created_at).slice(0, 10))} ·{' '}
                    {sharesText.count(messages.length)}
                  </p>
                </div>
              </div>
            </header>
            <div className="py-4">
              <SharedMessages messages={messages} name={user.name} />
            </div>
            <footer className="flex flex-col items-center gap-3 border-t pt-8 text-center">
              <ContinueShare id={id} />
              <p className="text-xs text-ink3">{sharesText.disclaimer}</p>
            </footer>
          </div>
        </div>
      </PageScroll>
    </AppPage>
  )
}
