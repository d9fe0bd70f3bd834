import { clsx } from 'clsx'
import { Copy, ExternalLink } from 'lucide-react'
import { useState } from 'react'
import type { Share } from '#contract/shares.ts'
import { request } from '#web/core/api.ts'
import { formatDateTime } from '#web/core/format.ts'
import { sharesText } from '#web/text/shares.ts'
import { Button } from '#web/ui/Button.tsx'
import { copyLink } from '#web/ui/copyLink.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { MoreButton } from '#web/ui/layout/MoreButton.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { withToast } from '#web/ui/withToast.ts'
import { invalidateShares, useShares } from './queries.ts'

/** Lists the person's links below the new one. */
export const MyShares = ({ onRevoke }: { onRevoke: (id: string) => void }) => (
  <section className="border-t pt-4">
    <h3 className="mb-2 text-note font-medium">{sharesText.mine}</h3>
    <ShareList onRevoke={onRevoke} className="max-h-[28dvh] overflow-y-auto" />
  </section>
)

type ListProps = { onRevoke?: (id: string) => void; className?: string }

/** Lists the person's links, to copy or revoke them. */
export function ShareList({ onRevoke, className }: ListProps) {
  const query = useShares()
  const [shareToRevoke, setShareToRevoke] = useState<Share | null>(null)
  const revoke = async () => {
    if (!shareToRevoke) return
    const options = { failed: sharesText.revokeFailed }
    const run = () => request('DELETE /api/chat/session/link', { query: { id: shareToRevoke.id } }, options)
    if ((await withToast(run, { done: sharesText.revoked })) !== null) onRevoke?.(shareToRevoke.id)
    await invalidateShares()
  }
  return (
    <>
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-11" />}
        compact
        isEmpty={({ pages }) => !pages[0]?.items.length}
        empty={<p className="text-note text-ink3">{sharesText.none}</p>}
      >
        {({ pages }) => (
          <ul aria-label={sharesText.mine} className={clsx('divide-y rounded-xl border', className)}>
            {pages
              .flatMap((page) => page.items)
              .map((share) => (
                <ShareRow key={share.id} share={share} onRevoke={() => setShareToRevoke(share)} />
              ))}
          </ul>
        )}
      </QueryView>
      <MoreButton query={query} size="sm" className="mt-2">
        {sharesText.more}
      </MoreButton>
      <ConfirmDialog
        open={shareToRevoke !== null}
        onOpenChange={() => setShareToRevoke(null)}
        title={sharesText.revokeTitle}
        description={sharesText.revokeText(shareToRevoke?.title ?? '')}
        confirmLabel={sharesText.revokeConfirm}
        danger
        onConfirm={revoke}
      />
    </>
  )
}

function ShareRow({ share, onRevoke }: { share: Share; onRevoke: () => void }) {
  const { title, count, created_at, url } = share
  return (
    <li className="flex items-center gap-1 py-1 pr-1.5 pl-3.5">
      <span className="min-w-0 flex-1">
        <span className="block truncate">{title}</span>
        <span className="block text-xs text-ink3 tabular-nums">
          {sharesText.count(count)} · {formatDateTime(created_at).slice(0, 10)}
        </span>
      </span>
      <IconButton label={sharesText.copyOf(title)} size="sm" onClick={() => void copyLink(url)}>
        <Copy size={15} aria-hidden />
      </IconButton>
      <a
        href={url}
        target="_blank"
        rel="noopener"
        aria-label={sharesText.openOf(title)}
        data-tooltip={sharesText.openOf(title)}
        className="inline-flex size-7 items-center justify-center rounded-lg text-ink2 transition-colors hover:bg-fill hover:text-ink max-md:size-11"
      >
        <ExternalLink size={15} aria-hidden />
      </a>
      <Button size="sm" variant="ghost" aria-label={sharesText.revokeOf(title)} onClick={onRevoke}>
        {sharesText.revoke}
      </Button>
    </li>
  )
}
