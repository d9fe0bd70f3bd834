import { create } from 'zustand'
import { ApiError, request } from '../core/api.ts'
import { mergeNewest, type Turn } from './turns.ts'

/** One conversation as this tab knows it. `key` stays the same when a new one gets its session. */
export type Conversation = {
  key: string
  turns: Turn[]
  has_more: boolean
  /** The newest messages are not among these: a part further up is shown. */
  has_newer: boolean
  loading: 'first' | 'older' | 'newer' | null
  /** Message that a search led to. */
  target: string | null
  /** Model of its last question, or the one chosen since. */
  model: string | null
  /** Why the messages could not be loaded. */
  failed: { message: string; gone: boolean } | null
  /** A question is on its way to the server. */
  sending: boolean
  /** The messages were read while a question was on its way: they are to be read again. */
  missed: boolean
  /** The last change put older turns in front: the view keeps its place from the end. */
  shift: boolean
  /** The last change showed another version: the view stays where it is. */
  stay: boolean
}

type State = {
  byId: Readonly<Record<string, Conversation>>
  /** Drafts that have become sessions. */
  sessionOf: Readonly<Record<string, string>>
}

/** Live conversations, outside the pages: an answer goes on while the person looks at something else. */
export const useConversations = create<State>()(() => ({ byId: {}, sessionOf: {} }))

let lastDraft = 0
/** The id of a conversation before it has a session. */
export const newDraft = (): string => `draft-${++lastDraft}`
export const isDraft = (id: string): boolean => id.startsWith('draft-')

export const conversation = (id: string): Conversation | undefined => useConversations.getState().byId[id]

const empty: Omit<Conversation, 'key'> = {
  turns: [],
  has_more: false,
  has_newer: false,
  loading: null,
  target: null,
  model: null,
  failed: null,
  sending: false,
  missed: false,
  shift: false,
  stay: false,
}

/** Changes a conversation; one that is not there yet begins empty. */
export function change(
  id: string,
  to: Partial<Conversation> | ((now: Conversation) => Partial<Conversation>),
): void {
  useConversations.setState(({ byId }) => {
    const now = byId[id] ?? { ...empty, key: id }
    const next = typeof to === 'function' ? to(now) : to
    return { byId: { ...byId, [id]: { ...now, shift: false, stay: false, ...next } } }
  })
}

/** A draft has been given its session: what was shown for the one is now the other. */
export function adopt(draft: string, sess_id: string): void {
  useConversations.setState(({ byId, sessionOf }) => {
    const { [draft]: adopted, ...others } = byId
    return {
      byId: adopted ? { ...others, [sess_id]: adopted } : others,
      sessionOf: { ...sessionOf, [draft]: sess_id },
    }
  })
}

export function forget(id: string): void {
  useConversations.setState(({ byId }) => {
    const { [id]: _, ...others } = byId
    return { byId: others }
  })
}

/**
 * Reads the newest page: the first time, or again to keep in step with other tabs and devices. Who reads further up is
 * left there.
 */
export async function reload(sess_id: string, { stay = false } = {}): Promise<void> {
  const before = conversation(sess_id)
  if (before?.sending) return change(sess_id, { missed: true })
  if (before?.loading || before?.has_newer) return
  change(sess_id, { loading: before?.turns.length ? null : 'first', failed: null, missed: false })
  const from = conversation(sess_id)?.turns
  try {
    const page = await request('GET /api/chat/messages', { query: { sess_id } })
    change(sess_id, (now) => {
      if (now.turns !== from) return { loading: null, missed: true }
      const { turns, older } = mergeNewest(now.turns, page.messages, page.has_more)
      return { turns, stay, loading: null, has_more: older ? now.has_more : page.has_more }
    })
    const now = conversation(sess_id)
    if (now?.missed && !now.sending) await reload(sess_id)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const gone = error.status === 404
    // A conversation that is on the screen stays there when the network fails for a moment.
    change(sess_id, (now) => ({
      loading: null,
      failed: now.turns.length && !gone ? null : { message: error.message, gone },
    }))
  }
}
