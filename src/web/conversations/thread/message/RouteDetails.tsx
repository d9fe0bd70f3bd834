import { useQuery } from '#web/core/queryClient.ts'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { AnswerRoute } from '#contract/chat.ts'
import { request } from '#web/core/api.ts'
import { formatFineAmount, formatFineSeconds, formatSeconds } from '#web/core/numberFormat.ts'
import { messagesText } from '#web/text/messages.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { positionPopover } from '#web/ui/popover/popoverPosition.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { usePlatformName } from '#web/conversations/model-picker/model-picker.tsx'
import type { Message } from '#web/conversations/conversations.ts'

/** Figures of an answer in a comparison: `speed` in characters a second, and the labels of its best figures. */
export type ComparedFigures = {
  speed: number | null
  best: Partial<Record<'first_text_ms' | 'speed' | 'amount', string>>
}

type Props = {
  message: Message
  /** Set in a comparison, which shows finer times, and no data beyond the message's own. */
  compared?: ComparedFigures | undefined
  anchor: RefObject<HTMLButtonElement | null>
  onClose: () => void
}

/** Shows model, platform, speed and cost of an answer, in a panel beside its line of figures. */
export default function RouteDetails({ message, compared, anchor, onClose }: Props) {
  const panel = useRef<HTMLDivElement>(null)
  const { id, chat_id, figures } = message
  const { data, isError } = useQuery({
    queryKey: ['chat', 'explain', id, figures?.amount],
    queryFn: ({ signal }) => request('GET /api/chat/explain', { query: { chat_id } }, { signal }),
    staleTime: Infinity,
    enabled: !compared,
  })
  // Only once: a browser reports closing with a delay, and details that arrive before that must not open the panel again.
  useLayoutEffect(() => {
    panel.current?.showPopover()
    panel.current?.focus()
  }, [])
  useLayoutEffect(() => {
    const [element, reference] = [panel.current, anchor.current]
    if (element?.matches(':popover-open') && reference) positionPopover(element, reference, 'top-start')
  })
  return (
    <div
      ref={panel}
      popover="auto"
      role="dialog"
      tabIndex={-1}
      aria-label={messagesText.figures}
      onToggle={({ newState }) => newState === 'closed' && onClose()}
      className="motion-rise fixed inset-auto m-0 max-h-[min(28rem,calc(100dvh-1rem))] w-[min(20rem,calc(100vw-1rem))] overflow-y-auto rounded-xl border bg-raised p-4 text-note leading-5 text-ink shadow-soft outline-none"
    >
      {figures && <Summary figures={figures} compared={compared} />}
      {compared ? null : data ? (
        <Details route={data.route} continued={data.route.bill?.amount !== figures?.amount} />
      ) : isError ? (
        <p role="alert" className="mt-3">
          {messagesText.loadFailed}
        </p>
      ) : (
        <Skeleton className="mt-3 h-6 w-full" />
      )}
    </div>
  )
}

type Figures = NonNullable<Message['figures']>

/** Shows the message's own figures of the whole answer. */
function Summary({ figures, compared }: { figures: Figures; compared: ComparedFigures | undefined }) {
  const { platform, first_text_ms, duration_ms, input_tokens, output_tokens, amount } = figures
  const getPlatformName = usePlatformName()
  const formatTime = compared ? formatFineSeconds : formatSeconds
  const best = compared?.best
  return (
    <Rows
      rows={[
        [messagesText.platform, getPlatformName(platform)],
        ...(first_text_ms === null
          ? []
          : [[messagesText.firstWord, formatTime(first_text_ms), best?.first_text_ms] as Row]),
        ...(duration_ms === null ? [] : [[messagesText.time, formatTime(duration_ms)] as Row]),
        ...(compared?.speed
          ? [
              [
                messagesText.speed,
                messagesText.charsPerSecond(Math.round(compared.speed).toLocaleString('zh-CN')),
                best?.speed,
              ] as Row,
            ]
          : []),
        [messagesText.input, messagesText.tokens(input_tokens)],
        [messagesText.output, messagesText.tokens(output_tokens)],
        [messagesText.total, messagesText.coins(formatFineAmount(amount)), best?.amount],
      ]}
    />
  )
}

/** Shows data of the route: failed attempts before, and the platform's token counts. */
function Details({ route: { attempts, bill }, continued }: { route: AnswerRoute; continued: boolean }) {
  const getPlatformName = usePlatformName()
  const parts: Row[] = bill
    ? [
        ...(bill.cached_tokens
          ? [[messagesText.cached, messagesText.tokens(bill.cached_tokens)] as Row]
          : []),
        ...(bill.reasoning_tokens
          ? [[messagesText.reasoning, messagesText.tokens(bill.reasoning_tokens)] as Row]
          : []),
      ]
    : []
  return (
    <>
      {parts.length > 0 && <Rows rows={parts} />}
      {bill?.usage_source === 'counted' && <p className="mt-1 text-xs text-ink2">{messagesText.counted}</p>}
      {continued && <p className="mt-3 text-xs text-ink2">{messagesText.continued}</p>}
      {attempts.length > 1 && (
        <section className="mt-3">
          <h3 className="mb-1 text-xs text-ink2">{messagesText.attempts}</h3>
          <ol>
            {attempts.map(({ platform, state, ms, reason, started_at }) => (
              <li key={started_at + platform} className="border-t py-1.5">
                <div className="flex items-baseline justify-between gap-3">
                  <span className="min-w-0 truncate">{getPlatformName(platform)}</span>
                  <span className="shrink-0 text-ink2 tabular-nums">
                    {messagesText.states[state] ?? state} · {formatSeconds(ms)}
                  </span>
                </div>
                {state !== 'answered' && reason && (
                  <p className="text-xs wrap-anywhere text-ink2">{reason}</p>
                )}
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  )
}

type Row = [name: string, value: string, tag?: string | undefined]

function Rows({ rows }: { rows: Row[] }) {
  return (
    <dl className="tabular-nums">
      {rows.map(([name, value, tag]) => (
        <div key={name} className="flex justify-between gap-3 py-0.5">
          <dt className="text-ink2">{name}</dt>
          <dd>
            {tag && (
              <>
                <Badge>{tag}</Badge>{' '}
              </>
            )}
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
