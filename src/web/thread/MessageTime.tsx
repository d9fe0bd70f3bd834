import { clsx } from 'clsx'
import { formatDateTime, formatShortTime } from '#web/core/format.ts'

/** When a message was sent, while it is pointed at or has the focus; on phones its menu says it. */
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
