import { Link } from '@inertiajs/react'
import { BellOff } from 'lucide-react'
import { messagesText as text } from '#web/text/account/notifications.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { NotificationItem } from './NotificationItem.tsx'
import { markAllAsRead, useUnread } from './notificationCalls.ts'

type Props = { open: boolean; onOpenChange: (open: boolean) => void }

/** Shows the unread messages, with links to all messages and to the release notes. */
export default function NotificationPanel({ open, onOpenChange }: Props) {
  const query = useUnread()
  const close = () => onOpenChange(false)
  return (
    <Dialog
      {...{ open, onOpenChange }}
      title={text.unread}
      footer={
        <>
          <Link
            href="/profile/messages?tab=releases"
            onClick={close}
            className={`${buttonClass({ variant: 'ghost' })} mr-auto`}
          >
            {text.releases}
          </Link>
          <Link href="/profile/messages" onClick={close} className={buttonClass()}>
            {text.all}
          </Link>
          <Button variant="primary" disabled={!query.data?.total_unread} onClick={() => void markAllAsRead()}>
            {text.markAll}
          </Button>
        </>
      }
    >
      <QueryView
        query={query}
        failed={text.failed}
        skeleton={<Skeleton className="h-16" />}
        isEmpty={({ total_unread }) => !total_unread}
        empty={
          <EmptyState icon={<BellOff size={28} />} title={text.noUnread} description={text.noUnreadHint} />
        }
      >
        {({ notifications, total_unread }) => (
          <div>
            <ul aria-label={text.unread} className="divide-y rounded-xl border">
              {notifications.map((message) => (
                <li key={message.uuid} className="first:rounded-t-xl last:rounded-b-xl">
                  <NotificationItem message={message} onFollow={close} />
                </li>
              ))}
            </ul>
            {total_unread > notifications.length && (
              <p className="mt-2 text-note text-ink2">{text.more(total_unread - notifications.length)}</p>
            )}
          </div>
        )}
      </QueryView>
    </Dialog>
  )
}
