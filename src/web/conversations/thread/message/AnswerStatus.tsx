import { Link } from '@inertiajs/react'
import { CircleAlert, RotateCcw } from 'lucide-react'
import { usePageUrl } from '#web/core/page.ts'
import { getLoginUrl } from '#web/core/loginUrl.ts'
import { chatText } from '#web/text/chat.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import type { Message } from '#web/conversations/conversations.ts'
import type { MessageActions } from './messageActions.ts'

const ShortageHelp = lazyComponent(() => import('./ShortageHelp.tsx'))

/** Shows how an unfinished answer ended: stopped, refused, failed or interrupted. `actions`, set for the last one, retry it. */
export function AnswerStatus({ message, actions }: { message: Message; actions: MessageActions | null }) {
  const url = usePageUrl()
  if (message.status === 'done' || message.status === 'typing') return null
  if (message.status === 'cancelled') return <p className="mt-2 text-note text-ink3">{chatText.stopped}</p>
  const reason = message.error ?? (message.status === 'interrupted' ? chatText.interrupted : chatText.failed)
  return (
    <div
      role={actions ? 'alert' : undefined}
      className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border border-danger/25 bg-danger-soft px-3.5 py-2.5 text-sm"
    >
      <CircleAlert size={16} aria-hidden className="shrink-0 text-danger" />
      <span className="min-w-0 flex-1 basis-48 wrap-anywhere">{reason}</span>
      {message.sign_in ? (
        <Link href={getLoginUrl(url)} className={buttonClass({ variant: 'primary', size: 'sm' })}>
          {chatText.signIn}
        </Link>
      ) : (
        actions &&
        !message.shortage && (
          <Button size="sm" onClick={() => actions.regenerate(message)}>
            <RotateCcw size={14} aria-hidden />
            {message.unsent ? chatText.resend : chatText.regenerate}
          </Button>
        )
      )}
      {actions && message.shortage && <ShortageHelp message={message} actions={actions} />}
    </div>
  )
}
