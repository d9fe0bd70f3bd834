import { Copy, ExternalLink } from 'lucide-react'
import { useState } from 'react'
import type { Share } from '#contract/shares.ts'
import { ApiError, request } from '../core/api.ts'
import { sharesText } from '../text/shares.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Input } from '../ui/Input.tsx'
import { toast } from '../ui/toast.ts'
import { copyLink } from './copyLink.ts'
import { MAX_CHOSEN } from './limits.ts'
import { MessageChoice } from './MessageChoice.tsx'
import { reloadShares } from './queries.ts'

/** What to share of a conversation, and the link to it. */
export function NewShare({ sess_id }: { sess_id: string }) {
  const [whole, setWhole] = useState(true)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [share, setShare] = useState<Share | null>(null)
  const [pending, setPending] = useState(false)

  const choose = (change: () => void) => {
    change()
    setShare(null)
  }
  const create = async () => {
    setPending(true)
    try {
      const query = { sess_id, ...(whole ? {} : { message_ids: [...chosen].join(',') }) }
      const answer = await request('GET /api/chat/session/link', { query })
      setShare(answer.share)
      void reloadShares()
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
              checked={whole === value}
              onChange={() => choose(() => setWhole(value))}
              className="size-4 accent-(--accent)"
            />
            {value ? sharesText.whole : sharesText.chosen}
          </label>
        ))}
      </div>
      {!whole && (
        <MessageChoice sess_id={sess_id} chosen={chosen} onChange={(next) => choose(() => setChosen(next))} />
      )}
      {share ? (
        <div className="flex flex-wrap gap-2">
          <Input
            readOnly
            aria-label={sharesText.link}
            value={share.url}
            onFocus={(event) => event.target.select()}
            className="min-w-0 flex-1 basis-60 font-mono text-[13px]!"
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
          {!whole && (
            <span role="status" className="text-[13px] text-ink2 tabular-nums">
              {chosen.size > MAX_CHOSEN ? sharesText.most(MAX_CHOSEN) : sharesText.selected(chosen.size)}
            </span>
          )}
          <Button
            variant="primary"
            pending={pending}
            disabled={!whole && (!chosen.size || chosen.size > MAX_CHOSEN)}
            onClick={() => void create()}
          >
            {sharesText.create}
          </Button>
        </div>
      )}
    </section>
  )
}
