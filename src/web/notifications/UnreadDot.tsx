import { useUnread } from './notificationCalls.ts'

/** Marks a control that hides the bell while there are unread messages. */
export default function UnreadDot() {
  const count = useUnread().data?.total_unread ?? 0
  return (
    count > 0 && (
      <span
        aria-hidden
        className="pointer-events-none absolute top-2 right-2 size-2.5 rounded-full border-2 border-panel bg-danger"
      />
    )
  )
}
