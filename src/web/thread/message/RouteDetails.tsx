import { useQuery } from '#web/core/queryClient.ts'
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import type { AnswerRoute } from '#contract/chat.ts'
import { request } from '#web/core/api.ts'
import { formatFineAmount, formatMilliseconds } from '#web/core/numberFormat.ts'
import { messagesText } from '#web/text/messages.ts'
import { positionPopover } from '#web/ui/popoverPosition.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useDisplayNames } from './useDisplayNames.ts'
import type { Message } from '#web/conversations/conversations.ts'

type Props = { message: Message; anchor: RefObject<HTMLButtonElement | null>; onClose: () => void }

/** How an answer was routed and what it cost, in a panel beside its line of figures. */
export default function RouteDetails({ message, anchor, onClose }: Props) {
  const panel = useRef<HTMLDivElement>(null)
  const { id, chat_id, figures } = message
  const { data, isError } = useQuery({
    queryKey: ['chat', 'explain', id, figures?.amount],
    queryFn: ({ signal }) => request('GET /api/chat/explain', { query: { chat_id } }, { signal }),
    staleTime: Infinity,
  })
  useLayoutEffect(() => {
    const [element, reference] = [panel.current, anchor.current]
    if (!element || !reference) return
    if (!element.matches(':popover-open')) {
      element.showPopover()
      element.focus()
    }
    positionPopover(element, reference, 'top-start')
  })
  return (
    <div
      ref={panel}
      popover="auto"
      role="dialog"
      tabIndex={-1}
      aria-label={messagesText.figures}
      onToggle={({ newState }) => newState === 'closed' && onClose()}
      className="motion-rise fixed inset-auto m-0 max-h-[min(28rem,calc(100dvh-1rem))] w-[min(26rem,calc(100vw-1rem))] overflow-y-auto rounded-xl border bg-raised p-4 text-note leading-5 text-ink shadow-soft outline-none"
    >
      {data ? (
        <Details route={data.route} continued={data.route.bill?.amount !== figures?.amount} />
      ) : isError ? (
        <p role="alert">{messagesText.loadFailed}</p>
      ) : (
        <Skeleton className="h-24 w-full" />
      )}
    </div>
  )
}

function Details({ route: { attempts, bill }, continued }: { route: AnswerRoute; continued: boolean }) {
  const names = useDisplayNames()
  return (
    <div className="space-y-4">
      {continued && <p className="text-ink2">{messagesText.continued}</p>}
      <Section title={messagesText.attempts}>
        {attempts.map(({ platform, state, ms, first_content_ms, cost, reason, started_at }) => (
          <li key={started_at + platform} className="border-t py-2 first:border-t-0">
            <div className="flex items-baseline justify-between gap-3">
              <span className="min-w-0 truncate font-medium">{names.platform(platform)}</span>
              <span className="shrink-0 text-ink2">{messagesText.states[state] ?? state}</span>
            </div>
            <p className="text-xs text-ink2 tabular-nums">
              {[
                ...(first_content_ms === null
                  ? []
                  : [`${messagesText.firstWord} ${formatMilliseconds(first_content_ms)}`]),
                `${messagesText.time} ${formatMilliseconds(ms)}`,
                messagesText.coins(formatFineAmount(cost)),
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
  if (!bill) return <p className="text-ink2">{messagesText.noBill}</p>
  const rows: [name: string, value: string][] = [
    [messagesText.input, formatTokens(bill.input_tokens)],
    ...(bill.cached_tokens
      ? [[messagesText.cached, formatTokens(bill.cached_tokens)] as [string, string]]
      : []),
    [messagesText.output, formatTokens(bill.output_tokens)],
    ...(bill.reasoning_tokens
      ? [[messagesText.reasoning, formatTokens(bill.reasoning_tokens)] as [string, string]]
      : []),
    [messagesText.total, messagesText.coins(formatFineAmount(bill.amount))],
  ]
  return (
    <section>
      <h3 className="mb-1 text-xs text-ink3">{messagesText.bill}</h3>
      <dl className="tabular-nums">
        {rows.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-3">
            <dt className="text-ink2">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {bill.usage_source === 'counted' && <p className="mt-1 text-xs text-ink3">{messagesText.counted}</p>}
    </section>
  )
}

const formatTokens = (tokens: number): string => `${tokens.toLocaleString('zh-CN')} tokens`

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 text-xs text-ink3">{title}</h3>
      <ol>{children}</ol>
    </section>
  )
}
