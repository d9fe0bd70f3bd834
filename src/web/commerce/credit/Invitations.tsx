import { Copy, Users } from 'lucide-react'
import type { UserInfo } from '#contract/users.ts'
import { formatCoins, formatDateTime } from '#web/core/format.ts'
import { partnerText as text } from '#web/text/site/partner.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { copyLink } from '#web/ui/copyLink.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useInvitations, type Invitations as InvitationsData } from './creditCalls.ts'

/** A person's invitation link, the people who came by it, and the coins earned. */
export function Invitations({ user: { invite_url } }: { user: UserInfo }) {
  const query = useInvitations()
  return (
    <>
      <section className="mt-6 rounded-2xl border p-5 md:p-6">
        <h2 className="text-note text-ink2">{text.link}</h2>
        <p className="mt-1.5 font-mono text-note leading-6 break-all">{invite_url}</p>
        <div className="mt-4 flex flex-wrap gap-2">
          <Button variant="primary" onClick={() => void copyLink(invite_url)}>
            <Copy size={16} aria-hidden />
            {text.copy}
          </Button>
          <Button onClick={() => void copyLink(text.share(invite_url))}>{text.copyInvitation}</Button>
        </div>
      </section>
      <QueryView query={query} failed={text.failed} skeleton={<Skeleton className="mt-6 h-44" />}>
        {(data) => <Results {...data} />}
      </QueryView>
    </>
  )
}

function Results({ invited, rewarded, earned, items }: InvitationsData) {
  const figures = [
    [text.invited, text.people(invited)],
    [text.rewarded, text.people(rewarded)],
    [text.earned, text.coins(formatCoins(earned))],
  ] as const
  return (
    <section aria-label={text.figures} className="mt-6">
      <dl className="grid grid-cols-3 divide-x rounded-2xl border">
        {figures.map(([name, value]) => (
          <div key={name} className="px-4 py-4 md:px-6">
            <dt className="text-note text-ink2">{name}</dt>
            <dd className="mt-1 text-lg font-semibold tabular-nums md:text-2xl">{value}</dd>
          </div>
        ))}
      </dl>
      {items.length ? (
        <ul aria-label={text.latest} className="mt-4 divide-y rounded-2xl border">
          {items.map((item) => (
            <li
              key={item.created_at}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-3 md:px-6"
            >
              <time dateTime={item.created_at} className="tabular-nums">
                {formatDateTime(item.created_at)}
              </time>
              <Badge tone={item.rewarded ? 'accent' : 'neutral'}>
                {item.rewarded ? text.paid : text.waiting}
              </Badge>
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState icon={<Users size={28} />} title={text.empty} description={text.emptyHint} />
      )}
    </section>
  )
}
