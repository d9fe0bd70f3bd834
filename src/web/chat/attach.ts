import type { ChatMessage } from '#contract/chat.ts'
import { ApiError, request } from '../core/api.ts'
import { chatText } from '../text/chat.ts'
import { announce } from './changes.ts'
import { change, conversation, reload } from './conversation.ts'
import { PLACEHOLDER } from './limits.ts'
import { setLive, type Live } from './live.ts'
import type { Reading, RunEnd } from './reading.ts'
import { titleLater } from './sessions.ts'
import { followRun } from './stream.ts'
import { changeTurn, settle, type Turn } from './turns.ts'

/** Text is shown at most this often; a faster stream costs no more rendering. */
const FLUSH_MS = 80

/** The answers that this tab follows, by message id. */
const following = new Map<string, AbortController>()

/** Follows the answer at the end of a session if one is being written and nobody here follows it yet. */
export function attachToLast(sess_id: string): void {
  const last = conversation(sess_id)?.turns.at(-1)
  for (const [id, controller] of following) {
    // Another tab or device brought this answer to its end: the server's text is the whole one.
    const known = conversation(sess_id)?.turns.find((turn) => turn.id === id)
    if (known && known.status !== 'typing') {
      controller.abort()
      setLive(id, null)
    }
  }
  if (last?.status === 'typing' && !last.local && !following.has(last.id)) void follow(sess_id, last)
}

async function follow(sess_id: string, turn: Turn): Promise<void> {
  const controller = new AbortController()
  following.set(turn.id, controller)
  try {
    if (turn.stream) await stream(sess_id, turn, controller.signal)
    else await whole(sess_id, turn, controller.signal)
    announce(sess_id)
    const { turns = [], has_more } = conversation(sess_id) ?? {}
    const first = !has_more && turns.filter(({ role }) => role === 'human').length === 1
    if (first && turns.at(-1)?.status === 'done') titleLater(sess_id)
  } catch (error) {
    if (!controller.signal.aborted) throw error
  } finally {
    following.delete(turn.id)
    setLive(turn.id, null)
  }
}

/** Ends an answer on the screen with the message that the server now has. */
export function finish(sess_id: string, message: ChatMessage): void {
  following.get(message.id)?.abort()
  change(sess_id, ({ turns }) => ({
    turns: turns.map((turn) => (turn.id === message.id ? settle(turn, message) : turn)),
  }))
  setLive(message.id, null)
}

async function stream(sess_id: string, turn: Turn, signal: AbortSignal): Promise<void> {
  const stored = { ...turn, text: turn.text === PLACEHOLDER ? '' : turn.text }
  let live: Live = { text: '', reasoning: '', reasoning_ms: null }
  let timer: ReturnType<typeof setTimeout> | null = null
  const flush = () => {
    timer = null
    // The replay starts at the first character: until it has caught up, what was loaded stays.
    setLive(turn.id, further(live, stored))
  }
  let search: Reading['search'] = null
  const tellSearch = (found: Reading['search']) =>
    change(sess_id, ({ turns }) => ({
      turns: changeTurn(turns, turn.key, (now) => ({ ...now, search: found })),
    }))
  let end: RunEnd
  try {
    end = await followRun(
      turn.chat_id,
      (now) => {
        if (now.search && now.search !== search) tellSearch(now.search)
        search = now.search
        live = now
        timer ??= setTimeout(flush, FLUSH_MS)
      },
      signal,
    )
  } finally {
    if (timer) clearTimeout(timer)
  }
  if (end.state === 'gone') await reload(sess_id)
  change(sess_id, ({ turns }) => ({ turns: changeTurn(turns, turn.key, (now) => ended(now, live, end)) }))
  // What it cost and whether it can go on is known to the server only.
  if (end.state !== 'gone' && end.state !== 'lost') await reload(sess_id)
}

/** Of what streams in and what was loaded, whatever is longer. */
const further = (live: Live, stored: Live): Live => ({
  text: live.text.length >= stored.text.length ? live.text : stored.text,
  ...(live.reasoning.length >= stored.reasoning.length
    ? { reasoning: live.reasoning, reasoning_ms: live.reasoning_ms }
    : { reasoning: stored.reasoning, reasoning_ms: stored.reasoning_ms }),
})

/** The turn after its stream has ended. What was received is kept in every case. */
function ended(turn: Turn, { text, reasoning, reasoning_ms }: Live, end: RunEnd): Turn {
  if (turn.status !== 'typing') return turn
  const kept = {
    ...turn,
    text: text || (turn.text === PLACEHOLDER ? '' : turn.text),
    ...(reasoning ? { reasoning, reasoning_ms } : {}),
  }
  if (end.state === 'failed') return { ...kept, status: 'failed', error: end.message }
  if (end.state === 'done' || end.state === 'cancelled') return { ...kept, status: end.state }
  return { ...kept, status: 'interrupted', error: chatText.lost }
}

/** An answer that does not stream comes whole, from one call that waits for it. */
async function whole(sess_id: string, turn: Turn, signal: AbortSignal): Promise<void> {
  try {
    const query = { chat_id: turn.chat_id, model: turn.model }
    const { chat_message } = await request('POST /api/chat/completions', { query }, { signal })
    finish(sess_id, chat_message)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const end: RunEnd = { state: 'failed', message: error.message }
    change(sess_id, ({ turns }) => ({
      turns: changeTurn(turns, turn.key, (now) => ended(now, { ...now, text: '' }, end)),
    }))
  }
}
