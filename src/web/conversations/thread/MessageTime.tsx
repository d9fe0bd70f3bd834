import { clsx } from 'clsx'
import { formatDateTime, formatShortTime } from '#web/core/format.ts'

/** Shows when a message was sent, on hover or focus; on phones the message's menu shows it. */
export const MessageTime = ({ at, className }: { at: string; className?: string | undefined }) => (
  <time
    dateTime={at}
    title={formatDateTime(at)}
    className={clsx(
      'px-1.5 text-xs whitespace-nowrap text-ink3 tabular-nums transition-opacity max-md:hidden md:opacity-0 md:group-focus-within:opacity-100 md:group-hover:opacity-100',
      className,
    )}
  >
    {formatShortTime(at, new Date())}
  </time>
)
