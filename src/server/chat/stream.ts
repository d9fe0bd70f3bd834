import { errors } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { ChatStreamEvent } from '#contract/chat.ts'
import type { MessageSearch } from '#contract/search.ts'
import type { ServerEvent } from '../core/sse.ts'
import type { Outcome, RunEvent } from '../runs/live-run.ts'

const event = (data: ChatStreamEvent): string => JSON.stringify(data)

/**
 * What GET /chat/completions sends for an answer: its text, how it ended if not well, `[DONE]`. After an error there is
 * no `[DONE]`. An event's id tells where a reader that comes back goes on: `{run}:{characters}`.
 */
export async function* completionEvents(
  run_id: string,
  events: AsyncIterable<RunEvent>,
  request_id: string,
): AsyncGenerator<ServerEvent> {
  for await (const next of events) {
    if (next.type === 'text') {
      const data = event({ delta_content: next.text, ...(next.replace ? { replace: true } : {}) })
      yield { id: `${run_id}:${next.position}`, data }
    } else if (next.type === 'note') yield { data: JSON.stringify(next.note) }
    else yield* endEvents(next.outcome, request_id)
  }
}

function* endEvents({ state, code }: Outcome, request_id: string): Generator<ServerEvent> {
  if (state === 'failed' || state === 'interrupted') {
    const reason = code ?? 'internal'
    const error = { message: errors[reason].message, code: reason, request_id }
    yield { event: 'error', data: event({ error }) }
    return
  }
  if (state === 'cancelled') yield { data: event({ state: 'cancelled' }) }
  yield { data: '[DONE]' }
}

/** An answer that ended a while ago, as its run would have told it to a reader at `after` characters. */
export async function* replay(
  message: {
    text: string
    status: Outcome['state']
    error_code: string | null
    search: MessageSearch | null
  },
  after: number,
): AsyncGenerator<RunEvent> {
  const { text, status: state, error_code, search } = message
  if (search) yield { type: 'note', note: { search } }
  const known = after <= text.length
  if (text && (after < text.length || !known)) {
    yield { type: 'text', text: known ? text.slice(after) : text, replace: !known, position: text.length }
  }
  yield { type: 'end', outcome: { state, code: error_code as ErrorCode | null, text } }
}

/** How far the reader of a Last-Event-ID got in this run, characters; 0 when it names another run or nothing. */
export function positionIn(run_id: string, last_event_id: string | null): number {
  const [run, position] = (last_event_id ?? '').split(':')
  return run === run_id && /^\d{1,9}$/.test(position ?? '') ? Number(position) : 0
}
