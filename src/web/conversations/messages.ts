import type { ChatMessage } from '#contract/chat.ts'
import { withoutErrorText } from '#contract/conversations/failed-answer.ts'
import type { Shortage } from '#contract/errors.ts'
import { PLACEHOLDER } from './limits.ts'

/** A message on the screen. `key` stays the same from the placeholder to the finished answer. */
export type Message = ChatMessage & {
  key: string
  /** Local only: the server has not accepted the question (yet). */
  local?: true
  /** Local only: the turn that this question replaces. */
  edits?: string
  /** The server demands a sign-in. */
  sign_in?: true
  /** The question was not sent, or its fate is unknown. */
  unsent?: true
  /** Idempotency key of the request, so that sending it again cannot ask twice. */
  idempotency_key?: string
  /** The coins that are missing for the question. */
  shortage?: Shortage
}

let lastKey = 0

/** A message that the server does not have yet. */
function createLocalMessage(role: 'human' | 'ai', text: string, model: string): Message {
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
    liked: false,
    feedback: null,
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

export const createLocalQuestion = (
  prompt: string,
  model: string,
  more: Partial<Pick<Message, 'tools' | 'block' | 'content_type'>> = {},
): Message => ({ ...createLocalMessage('human', prompt, model), ...more })
export const createLocalAnswer = (model: string): Message => createLocalMessage('ai', PLACEHOLDER, model)

/** A server's message for the screen, with the reason of a failed answer apart from its text. */
export const toMessage = (received: ChatMessage, key = received.id): Message => ({
  ...withoutErrorText(received),
  key,
})

/** Replaces a message by the server's, keeping its key. */
export const applyServerMessage = (current: Message, received: ChatMessage): Message =>
  toMessage(received, current.key)

/** Changes one of the messages. */
export const updateMessage = (
  messages: readonly Message[],
  key: string,
  update: (message: Message) => Message,
): Message[] => messages.map((message) => (message.key === key ? update(message) : message))

const isUnchanged = (current: Message, received: ChatMessage) =>
  current.id === received.id &&
  current.status === received.status &&
  current.error === received.error &&
  (current.text === received.text || current.status === 'typing') &&
  current.chat_model === received.chat_model &&
  // The search state received by this tab is newer than the stored one.
  (current.search?.state === received.search?.state || current.status === 'typing') &&
  (current.reasoning === received.reasoning || current.status === 'typing') &&
  current.versions.join() === received.versions.join() &&
  current.related_prompts.join() === received.related_prompts.join() &&
  current.continuable === received.continuable &&
  JSON.stringify(current.feedback) === JSON.stringify(received.feedback) &&
  JSON.stringify(current.figures) === JSON.stringify(received.figures)

/**
 * Merges the newest page, read again, into the messages: known messages keep their keys, unchanged ones their identity. Older
 * pages stay if the newest one adjoins them, and local messages stay at the end.
 */
export function mergeNewestPage(
  messages: readonly Message[],
  page: readonly ChatMessage[],
  hasMore: boolean,
): { messages: Message[]; older: boolean } {
  const messagesById = new Map(messages.map((message) => [message.id, message]))
  const newest = page.map(withoutErrorText).map((received): Message => {
    // Another version replaces the shown one and takes over its key, so that the focus stays.
    const current = messagesById.get(received.versions.find((id) => messagesById.has(id)) ?? received.id)
    if (!current) return toMessage(received)
    return isUnchanged(current, received) ? current : applyServerMessage(current, received)
  })
  const from = messages.findIndex((message) => page[0]?.versions.includes(message.id))
  const before = hasMore && from > 0 ? messages.slice(0, from) : []
  const locals = messages.filter((message) => message.local)
  return { messages: [...before, ...newest, ...locals], older: before.length > 0 }
}

/** Puts an older page in front, without repeating known messages. */
export function prependOlderPage(messages: readonly Message[], page: readonly ChatMessage[]): Message[] {
  const knownIds = new Set(messages.map((message) => message.id))
  const older = page.filter((received) => !knownIds.has(received.id)).map((received) => toMessage(received))
  return [...older, ...messages]
}

/** Appends a newer page, without repeating known messages. */
export function appendNewerPage(messages: readonly Message[], page: readonly ChatMessage[]): Message[] {
  const knownIds = new Set(messages.map((message) => message.id))
  const newer = page.filter((received) => !knownIds.has(received.id)).map((received) => toMessage(received))
  return [...messages, ...newer]
}

/** Tells whether an answer is being written (or awaited) at the end of these messages. */
export const isTyping = (messages: readonly Message[]): boolean => messages.at(-1)?.status === 'typing'
