import { Copy, ExternalLink } from 'lucide-react'
import { useState } from 'react'
import type { Share } from '#contract/shares.ts'
import { ApiError, request } from '#web/core/api.ts'
import { sharesText } from '#web/text/shares.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { copyLink } from '#web/ui/copyLink.ts'
import { Input } from '#web/ui/form/Input.tsx'
import { toast } from '#web/ui/toast.ts'
import { MAX_CHOSEN } from './limits.ts'
import { MessageSelection } from './MessageSelection.tsx'
import { invalidateShares } from './queries.ts'

type Props = { sess_id: string; share: Share | null; onShare: (share: Share | null) => void }

/** Chooses the messages to share, and shows the link to them. */
export function NewShare({ sess_id, share, onShare }: Props) {
  const [isWhole, setIsWhole] = useState(true)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [pending, setPending] = useState(false)

  const updateChoice = (change: () => void) => {
    change()
    onShare(null)
  }
  const createShare = async () => {
    setPending(true)
    try {
      const query = { sess_id, ...(isWhole ? {} : { message_ids: [...selected].join(',') }) }
      const answer = await request('GET /api/chat/session/link', { query }, { failed: sharesText.failed })
      onShare(answer.share)
      void invalidateShares()
    } catch (error) {
      toast.error(error instanceof ApiError ? error.message : sharesText.failed)
    }
    setPending(false)
  }

  return (
    <section className="flex flex-col gap-3">
      <div role="radiogroup" aria-label={sharesText.what} className="flex flex-wrap gap-x-6">
        {[true, false].map((value) => (
          <label key={String(value)} className="flex items-center gap-2 max-md:min-h-11">
            <input
              type="radio"
              name="what"
              checked={isWhole === value}
              onChange={() => updateChoice(() => setIsWhole(value))}
              className="size-4 accent-(--accent)"
            />
            {value ? sharesText.whole : sharesText.chosen}
          </label>
        ))}
      </div>
      {!isWhole && (
        <MessageSelection
          sess_id={sess_id}
          selected={selected}
          onChange={(next) => updateChoice(() => setSelected(next))}
        />
      )}
      {share ? (
        <div className="flex flex-wrap gap-2">
          <Input
            readOnly
            aria-label={sharesText.link}
            value={share.url}
            onFocus={(event) => event.target.select()}
            className="min-w-0 flex-1 basis-60 font-mono text-note!"
          />
          <a
            href={share.url}
            target="_blank"
            rel="noopener"
            className={buttonClass({ size: 'md' }) + ' h-10!'}
          >
            <ExternalLink size={16} aria-hidden />
            {sharesText.open}
          </a>
          <Button variant="primary" className="h-10! max-md:flex-1" onClick={() => void copyLink(share.url)}>
            <Copy size={16} aria-hidden />
            {sharesText.copy}
          </Button>
        </div>
      ) : (
        <div className="flex items-center justify-end gap-3">
          {!isWhole && (
            <span role="status" className="text-note text-ink2 tabular-nums">
              {selected.size > MAX_CHOSEN ? sharesText.most(MAX_CHOSEN) : sharesText.selected(selected.size)}
            </span>
          )}
          <Button
            variant="primary"
            pending={pending}
            disabled={!isWhole && (!selected.size || selected.size > MAX_CHOSEN)}
            onClick={() => void createShare()}
          >
            {sharesText.create}
          </Button>
        </div>
      )}
    </section>
  )
}
