import { Link } from '@inertiajs/react'
import type { UserNotification } from '#contract/notifications/notifications.ts'
import { formatDateTime } from '#web/core/format.ts'
import { messagesText as text } from '#web/text/account/notifications.ts'

type Props = { message: UserNotification; onFollow?: () => void }

/** Shows one message. If it has a target, the whole item is the link. */
export function NotificationItem({ message, onFollow }: Props) {
  const content = (
    <>
      <span className="flex items-baseline gap-2">
        {!message.read && (
          <span
            role="img"
            aria-label={text.isUnread}
            className="size-2 shrink-0 self-center rounded-full bg-accent"
          />
        )}
        <span className="min-w-0 flex-1 font-medium">{message.title}</span>
        <time dateTime={message.created_at} className="shrink-0 text-xs text-ink3 tabular-nums">
          {formatDateTime(message.created_at).slice(0, 16)}
        </time>
      </span>
      <span className="mt-0.5 block text-note wrap-anywhere whitespace-pre-line text-ink2">
        {message.text}
      </span>
    </>
  )
  const className = 'block px-3.5 py-2.5'
  return message.link ? (
    <Link
      href={message.link}
      onClick={() => onFollow?.()}
      className={`${className} rounded-[inherit] transition-colors hover:bg-fill`}
    >
      {content}
    </Link>
  ) : (
    <div className={className}>{content}</div>
  )
}
