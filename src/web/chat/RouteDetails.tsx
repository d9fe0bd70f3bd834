import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import type { AnswerRoute } from '#contract/chat.ts'
import { request } from '../core/api.ts'
import { fine, milliseconds } from '../models/figures.ts'
import { turnsText } from '../text/turns.ts'
import { placeBeside } from '../ui/place.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import type { Turn } from './turns.ts'

type Props = { turn: Turn; anchor: RefObject<HTMLButtonElement | null>; onClose: () => void }

/** How an answer was routed and what it cost, in a panel beside its line of figures. */
export default function RouteDetails({ turn, anchor, onClose }: Props) {
  const panel = useRef<HTMLDivElement>(null)
  const { id, chat_id, figures } = turn
  const { data, isError } = useQuery({
    queryKey: ['chat', 'explain', id, figures?.amount],
    queryFn: ({ signal }) => request('GET /api/chat/explain', { query: { chat_id } }, { signal }),
    staleTime: Infinity,
  })
  useLayoutEffect(() => {
    const [shown, beside] = [panel.current, anchor.current]
    if (!shown || !beside) return
    if (!shown.matches(':popover-open')) {
      shown.showPopover()
      shown.focus()
    }
    placeBeside(shown, beside, 'top-start')
  })
  return (
    <div
      ref={panel}
      popover="auto"
      role="dialog"
      tabIndex={-1}
      aria-label={turnsText.figures}
      onToggle={({ newState }) => newState === 'closed' && onClose()}
      className="motion-rise fixed inset-auto m-0 max-h-[min(28rem,calc(100dvh-1rem))] w-[min(26rem,calc(100vw-1rem))] overflow-y-auto rounded-xl border bg-raised p-4 text-[13px] leading-5 text-ink shadow-soft outline-none"
    >
      {data ? (
        <Details route={data.route} continued={data.route.bill?.amount !== figures?.amount} />
      ) : isError ? (
        <p role="alert">{turnsText.loadFailed}</p>
      ) : (
        <Skeleton className="h-24 w-full" />
      )}
    </div>
  )
}

function Details({ route: { attempts, bill }, continued }: { route: AnswerRoute; continued: boolean }) {
  return (
    <div className="space-y-4">
      {continued && <p className="text-ink2">{turnsText.continued}</p>}
      <Section title={turnsText.attempts}>
        {attempts.map(({ platform, state, ms, first_content_ms, cost, reason, started_at }) => (
          <li key={started_at + platform} className="border-t py-2 first:border-t-0">
            <div className="flex items-baseline justify-between gap-3">
              <span className="min-w-0 truncate font-medium">{platform}</span>
              <span className="shrink-0 text-ink2">{turnsText.states[state] ?? state}</span>
            </div>
            <p className="text-xs text-ink2 tabular-nums">
              {[
                ...(first_content_ms === null
                  ? []
                  : [`${turnsText.firstWord} ${milliseconds(first_content_ms)}`]),
                `${turnsText.time} ${milliseconds(ms)}`,
                turnsText.coins(fine(cost)),
              ].join(' · ')}
            </p>
            {state !== 'answered' && reason && <p className="text-xs wrap-anywhere text-ink3">{reason}</p>}
          </li>
        ))}
      </Section>
      <Bill bill={bill} />
    </div>
  )
}

function Bill({ bill }: { bill: AnswerRoute['bill'] }) {
  if (!bill) return <p className="text-ink2">{turnsText.noBill}</p>
  const rows: [name: string, value: string][] = [
    [turnsText.input, count(bill.input_tokens)],
    ...(bill.cached_tokens ? [[turnsText.cached, count(bill.cached_tokens)] as [string, string]] : []),
    [turnsText.output, count(bill.output_tokens)],
    ...(bill.reasoning_tokens
      ? [[turnsText.reasoning, count(bill.reasoning_tokens)] as [string, string]]
      : []),
    [turnsText.total, turnsText.coins(fine(bill.amount))],
  ]
  return (
    <section>
      <h3 className="mb-1 text-xs text-ink3">{turnsText.bill}</h3>
      <dl className="tabular-nums">
        {rows.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-3">
            <dt className="text-ink2">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {bill.usage_source === 'counted' && <p className="mt-1 text-xs text-ink3">{turnsText.counted}</p>}
    </section>
  )
}

const count = (tokens: number): string => `${tokens.toLocaleString('zh-CN')} tokens`

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 text-xs text-ink3">{title}</h3>
      <ol>{children}</ol>
    </section>
  )
}
