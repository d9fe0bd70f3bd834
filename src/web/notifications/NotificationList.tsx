import { Inbox } from 'lucide-react'
import { useState } from 'react'
import type { NotificationChannel } from '#contract/notifications/notifications.ts'
import { messagesText as text } from '#web/text/account/notifications.ts'
import { Button } from '#web/ui/Button.tsx'
import { ChoiceChips } from '#web/ui/form/ChoiceChips.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Pager } from '#web/ui/layout/Pager.tsx'
import { NotificationItem } from './NotificationItem.tsx'
import { markAllAsRead, useNotifications, useUnread } from './notificationCalls.ts'

const filters = [
  { value: null, label: text.every },
  ...(Object.entries(text.channels) as [NotificationChannel, string][]).map(([value, label]) => ({
    value,
    label,
  })),
]

/** Shows all messages to the person, the newest first, a page at a time. */
export function NotificationList() {
  const [channel, setChannel] = useState<NotificationChannel | null>(null)
  const [page, setPage] = useState(1)
  const query = useNotifications(channel, page)
  const unreadCount = useUnread().data?.total_unread
  return (
    <section aria-label={text.title}>
      <div className="mb-3 flex flex-wrap items-center gap-1.5">
        <ChoiceChips
          label={text.filter}
          choices={filters}
          chosen={channel}
          onChoose={(nextChannel) => {
            setChannel(nextChannel)
            setPage(1)
          }}
          className="mr-auto"
        />
        <Button size="sm" disabled={!unreadCount} onClick={() => void markAllAsRead()}>
          {text.markAll}
        </Button>
      </div>
      <QueryView
        query={query}
        failed={text.failed}
        skeleton={<Skeleton className="h-40" />}
        isEmpty={({ total }) => !total}
        empty={<EmptyState icon={<Inbox size={28} />} title={text.empty} description={text.emptyHint} />}
      >
        {(list) => (
          <>
            <ul aria-label={text.title} className="divide-y rounded-xl border">
              {list.items.map((message) => (
                <li key={message.uuid} className="first:rounded-t-xl last:rounded-b-xl">
                  <NotificationItem message={message} />
                </li>
              ))}
            </ul>
            <Pager list={list} onPageChange={setPage} />
          </>
        )}
      </QueryView>
    </section>
  )
}
