import { Link, router } from '@inertiajs/react'
import { Copy, Inbox } from 'lucide-react'
import { useState } from 'react'
import type { OutboxMessage, PageProps } from '#contract/pages.ts'
import { formatDateTime } from '#web/core/format.ts'
import { outboxText } from '#web/text/docs/reference.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { copyText } from '#web/ui/clipboard.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageScroll } from '#web/shell/PageBody.tsx'

/** Shows messages that the development server would have sent, newest first. */
export default function Outbox({ messages }: PageProps<'Outbox'>) {
  const [pending, setPending] = useState(false)
  const refresh = () => router.reload({ onStart: () => setPending(true), onFinish: () => setPending(false) })
  return (
    <AppPage title={outboxText.title}>
      <PageScroll>
        <div className="mx-auto w-full max-w-3xl px-4 pt-6 pb-20 md:px-8">
          <div className="mb-6 flex items-end justify-between gap-4">
            <div>
              <h1 className="text-2xl font-semibold">{outboxText.title}</h1>
              <p className="mt-1 text-ink2">{outboxText.lead}</p>
            </div>
            <Button onClick={refresh} pending={pending}>
              {outboxText.refresh}
            </Button>
          </div>
          <div className="overflow-hidden rounded-2xl border bg-panel">
            {messages.length ? (
              <ul className="divide-y">
                {messages.map((message) => (
                  <li
                    key={`${message.created_at} ${message.to} ${message.text}`}
                    className="flex flex-col gap-2 p-5"
                  >
                    <OutboxItem message={message} />
                  </li>
                ))}
              </ul>
            ) : (
              <EmptyState
                icon={<Inbox size={28} />}
                title={outboxText.empty}
                description={outboxText.emptyHint}
                action={
                  <Link href="/login" className={buttonClass()}>
                    {outboxText.toLogin}
                  </Link>
                }
              />
            )}
          </div>
        </div>
      </PageScroll>
    </AppPage>
  )
}

function OutboxItem({ message }: { message: OutboxMessage }) {
  const { code } = message
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-3 text-note text-ink2">
        <span>{outboxText.channels[message.channel] ?? message.channel}</span>
        <span className="font-medium break-all text-ink">{message.to}</span>
        <time dateTime={message.created_at} className="ml-auto tabular-nums">
          {formatDateTime(message.created_at)}
        </time>
      </div>
      <div className="flex items-start justify-between gap-4 max-sm:flex-col">
        <div className="min-w-0">
          <h2 className="font-medium">{message.subject}</h2>
          <p className="mt-0.5 break-words whitespace-pre-line text-ink2">{message.text}</p>
        </div>
        {code && (
          <Button
            onClick={() => void copyText(code)}
            aria-label={outboxText.copyCode(code)}
            className="font-mono text-base! tracking-widest tabular-nums"
          >
            {code}
            <Copy size={15} aria-hidden className="text-ink3" />
          </Button>
        )}
      </div>
    </>
  )
}
