import type { ChatMessage } from '#contract/chat.ts'
import { PLACEHOLDER } from './limits.ts'

/** A message on the screen. `key` stays the same from the placeholder to the finished answer. */
export type Turn = ChatMessage & {
  key: string
  /** Only here: the server has not taken the question (yet). */
  local?: true
  /** Only here: the turn in whose place this question was asked. */
  edits?: string
  /** The server asks to sign in. */
  sign_in?: true
}

let lastKey = 0

/** A message that the server does not know yet. */
function localTurn(role: 'human' | 'ai', text: string, model: string): Turn {
  const key = `local-${++lastKey}`
  return {
    key,
    id: key,
    sess_id: '',
    chat_id: '',
    role,
    text,
    model,
    chat_model: model,
    content_type: 'text',
    stream: true,
    status: role === 'ai' ? 'typing' : 'done',
    error: null,
    tools: [],
    agent: null,
    block: null,
    quick_action: null,
    related_prompts: [],
    search: null,
    wants_related: false,
    reasoning: '',
    reasoning_ms: null,
    versions: [key],
    continuable: false,
    figures: null,
    created_at: new Date().toISOString(),
    local: true,
  }
}

export const localQuestion = (prompt: string, model: string): Turn => localTurn('human', prompt, model)
export const localAnswer = (model: string): Turn => localTurn('ai', PLACEHOLDER, model)

/** Puts the server's message in the place of a turn; its key stays. */
export const settle = (turn: Turn, message: ChatMessage): Turn => ({ ...message, key: turn.key })

/** The turns with one of them changed. */
export const changeTurn = (turns: readonly Turn[], key: string, change: (turn: Turn) => Turn): Turn[] =>
  turns.map((turn) => (turn.key === key ? change(turn) : turn))

const same = (turn: Turn, message: ChatMessage) =>
  turn.id === message.id &&
  turn.status === message.status &&
  turn.error === message.error &&
  (turn.text === message.text || turn.status === 'typing') &&
  turn.chat_model === message.chat_model &&
  // What this tab has heard of a search that goes on is newer than what was stored.
  (turn.search?.state === message.search?.state || turn.status === 'typing') &&
  (turn.reasoning === message.reasoning || turn.status === 'typing') &&
  turn.versions.join() === message.versions.join() &&
  turn.related_prompts.join() === message.related_prompts.join() &&
  (turn.figures === null) === (message.figures === null)

/**
 * The turns after the newest page was read again: known messages keep their keys, unchanged ones their identity, older
 * pages stay when there still are any that the newest touches, and what the server never took stays at the end.
 */
export function mergeNewest(
  turns: readonly Turn[],
  page: readonly ChatMessage[],
  has_more: boolean,
): { turns: Turn[]; older: boolean } {
  const known = new Map(turns.map((turn) => [turn.id, turn]))
  const newest = page.map((message): Turn => {
    // Another version stands in the place of the one that was here: what has the focus there keeps it.
    const turn = known.get(message.versions.find((id) => known.has(id)) ?? message.id)
    if (!turn) return { ...message, key: message.id }
    return same(turn, message) ? turn : settle(turn, message)
  })
  const from = turns.findIndex((turn) => page[0]?.versions.includes(turn.id))
  const before = has_more && from > 0 ? turns.slice(0, from) : []
  const locals = turns.filter((turn) => turn.local)
  return { turns: [...before, ...newest, ...locals], older: before.length > 0 }
}

/** The turns with an older page in front; messages that are already there are not repeated. */
export function prependOlder(turns: readonly Turn[], page: readonly ChatMessage[]): Turn[] {
  const known = new Set(turns.map((turn) => turn.id))
  const older = page
    .filter((message) => !known.has(message.id))
    .map((message) => ({ ...message, key: message.id }))
  return [...older, ...turns]
}

/** The turns with a newer page behind them; messages that are already there are not repeated. */
export function appendNewer(turns: readonly Turn[], page: readonly ChatMessage[]): Turn[] {
  const known = new Set(turns.map((turn) => turn.id))
  const newer = page
    .filter((message) => !known.has(message.id))
    .map((message) => ({ ...message, key: message.id }))
  return [...turns, ...newer]
}

/** Whether an answer is being written (or awaited) at the end of these turns. */
export const isTyping = (turns: readonly Turn[]): boolean => turns.at(-1)?.status === 'typing'
