import { Bell } from 'lucide-react'
import { useState } from 'react'
import { messagesText as text } from '#web/text/account/notifications.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { useUnread } from './notificationCalls.ts'

const NotificationPanel = lazyComponent(() => import('./NotificationPanel.tsx'), {
  getOnClose: ({ open, onOpenChange }) => open && (() => onOpenChange(false)),
})

/** Opens the unread messages, and shows how many there are. */
export default function NotificationBell() {
  const [open, setOpen] = useState(false)
  const count = useUnread().data?.total_unread ?? 0
  return (
    <>
      <IconButton
        label={count ? text.bellUnread(count) : text.bell}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="relative"
      >
        <Bell size={18} aria-hidden />
        {count > 0 && (
          <span
            aria-hidden
            className="absolute -top-0.5 -right-0.5 min-w-4.5 rounded-full bg-danger px-1 text-center text-tiny leading-4.5 font-medium text-panel tabular-nums"
          >
            {count > 99 ? '99+' : count}
          </span>
        )}
      </IconButton>
      <NotificationPanel open={open} onOpenChange={setOpen} />
    </>
  )
}
