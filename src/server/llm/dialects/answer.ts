import { UpstreamError } from '../chat.ts'
import type { ChatPart, Take, Timeouts } from '../chat.ts'
import { post } from '../http.ts'
import type { BodyReader, Head } from '../http.ts'
import { AnswerReader } from './answer-reader.ts'
import type { Hear } from './event.ts'
import { RefusalReader, withoutKey } from './refusal.ts'

/** Where a call goes. `base_url` has no slash at its end; an empty `api_key` sends none. */
export type Target = {
  base_url: string
  api_key: string
  model: string
  /** Each chunk carries the whole text so far. */
  cumulative: boolean
  timeouts: Timeouts
}

/** A call as a dialect writes it, and how the dialect hears the answer. */
export type Call = {
  url: string
  headers: Record<string, string>
  body: object
  hear: Hear
}

/**
 * Makes the call and says what it answers. Throws UpstreamError, or the signal's reason when the caller aborts. Usage
 * comes before the finish, which is always last; a broken answer gives what usage it reported.
 */
export async function streamAnswer(
  { url, headers, body, hear }: Call,
  { api_key, timeouts }: Target,
  signal: AbortSignal,
  take: Take,
): Promise<void> {
  const reader = new AnswerReader(hear)
  let refused: RefusalReader | null = null
  const open = (head: Head): BodyReader => {
    if (head.status < 200 || head.status > 299) return (refused = new RefusalReader(head))
    return {
      take: (bytes) => handOn((say) => reader.feed(bytes, say), take),
      get done() {
        return reader.done
      },
    }
  }
  try {
    await post(
      url,
      {
        headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
        body: JSON.stringify(body),
        timeouts,
        signal,
      },
      open,
    )
    if (!refused) await handOn((say) => reader.end(say), take)
  } catch (cause) {
    const failed = cause instanceof UpstreamError
    // The status of a refusal says enough. A connection that broke or fell silent after all was said took nothing away.
    if (!failed || !(refused || (reader.whole && /cut|timeout/.test(cause.code)))) {
      await deliver(reader.usage(), take)
      throw failed ? withoutKey(cause, api_key) : cause
    }
  }
  if (refused) throw refusedBy(refused, api_key)
  await deliver(reader.usage(), take)
  await take(reader.finish())
}

/** A variable that only a callback sets is null for the type checker. */
const refusedBy = (refused: RefusalReader, api_key: string): UpstreamError =>
  withoutKey(refused.error(), api_key)

/** Hands on what `read` says. What it throws is thrown when all that was said before it is taken. */
function handOn(read: (say: (part: ChatPart) => void) => void, take: Take): Promise<void> | void {
  const parts: ChatPart[] = []
  try {
    read((part) => parts.push(part))
  } catch (fault) {
    const taken = deliver(parts, take)
    if (!taken) throw fault
    return taken.then(() => {
      throw fault
    })
  }
  return deliver(parts, take)
}

/** Hands over one part after the other, without a turn of the event loop where the taker needs none. */
function deliver(parts: readonly ChatPart[], take: Take): Promise<void> | void {
  for (const [nth, part] of parts.entries()) {
    const taken = take(part)
    if (taken) return taken.then(() => deliver(parts.slice(nth + 1), take))
  }
}
