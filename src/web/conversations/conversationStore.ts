import { create } from 'zustand'
import { ApiError, request } from '#web/core/api.ts'
import { mergeNewestPage, type Message } from './messages.ts'

/** A conversation as this tab knows it. `key` stays the same when a draft gets its session. */
export type Conversation = {
  key: string
  /** The chatbot that answers: a page shows a conversation only for its own chatbot. */
  chatbot?: string
  messages: Message[]
  has_more: boolean
  /** A part further up is shown, without the newest messages. */
  has_newer: boolean
  loading: 'first' | 'older' | 'newer' | null
  /** The latest page requested; one requested before it is dropped. Null while the newest page is read. */
  awaitedPage: symbol | null
  /** The message that a search led to. */
  targetMessageId: string | null
  /** The model of the last question, or the one chosen since. */
  model: string | null
  /** The reason why the messages could not be loaded. */
  loadError: { message: string; isGone: boolean } | null
  /** A question is on its way to the server. */
  sending: boolean
  /** The messages were read while a question was on its way, and must be read again. */
  isStale: boolean
  /** The last change put older messages in front, so the view keeps its distance from the end. */
  prepended: boolean
  /** The last change showed another version, so the view keeps its place. */
  stay: boolean
}

type State = {
  byId: Readonly<Record<string, Conversation>>
  /** Session by the id of the draft that became it. */
  sessionByLocalId: Readonly<Record<string, string>>
}

/** Conversations outside the pages, so that an answer goes on while the person looks at something else. */
export const useConversations = create<State>()(() => ({ byId: {}, sessionByLocalId: {} }))

let lastLocalId = 0
/** A new id for a conversation without a session. */
export const createLocalConversationId = (): string => `draft-${++lastLocalId}`
export const isLocalConversation = (id: string): boolean => id.startsWith('draft-')

/** Storage key of a conversation's draft. After a reload, one without a session is a new one of its chatbot again. */
export function toDraftKey(id: string, chatbot = getConversation(id)?.chatbot): string {
  if (!isLocalConversation(id)) return id
  return chatbot && chatbot !== 'dati' ? chatbot : 'new'
}

export const getConversation = (id: string): Conversation | undefined => useConversations.getState().byId[id]

const emptyConversation: Omit<Conversation, 'key'> = {
  messages: [],
  has_more: false,
  has_newer: false,
  loading: null,
  awaitedPage: null,
  targetMessageId: null,
  model: null,
  loadError: null,
  sending: false,
  isStale: false,
  prepended: false,
  stay: false,
}

/** Drops any page that is on its way. */
export const noPage = { loading: null, awaitedPage: null } as const

/** Tells whether a part further up is shown or on its way. */
export const isFurtherUp = (id: string): boolean => {
  const { has_newer, loading, awaitedPage } = getConversation(id) ?? emptyConversation
  return has_newer || (loading === 'first' && awaitedPage !== null)
}

/** Changes a conversation; an unknown one begins empty. */
export function updateConversation(
  id: string,
  patch: Partial<Conversation> | ((current: Conversation) => Partial<Conversation>),
): void {
  useConversations.setState(({ byId }) => {
    const current = byId[id] ?? { ...emptyConversation, key: id }
    const next = typeof patch === 'function' ? patch(current) : patch
    return { byId: { ...byId, [id]: { ...current, prepended: false, stay: false, ...next } } }
  })
}

/** Resets a conversation that pages of another chatbot have used. */
export function enterConversation(id: string, chatbot: string): void {
  if (getConversation(id)?.chatbot !== chatbot) updateConversation(id, { ...emptyConversation, chatbot })
}

/** Moves a draft's state to the session that it has been given. */
export function attachSession(localId: string, sessId: string): void {
  useConversations.setState(({ byId, sessionByLocalId }) => {
    const { [localId]: localConversation, ...others } = byId
    return {
      byId: localConversation ? { ...others, [sessId]: localConversation } : others,
      sessionByLocalId: { ...sessionByLocalId, [localId]: sessId },
    }
  })
}

export function removeConversation(id: string): void {
  useConversations.setState(({ byId }) => {
    const { [id]: _, ...others } = byId
    return { byId: others }
  })
}

/** The newest page has arrived; a page requested elsewhere meanwhile is still awaited. */
const endLoading = ({ loading, awaitedPage }: Conversation) => ({ loading: awaitedPage ? loading : null })

/**
 * Reads the newest page, for the first time or to keep in step with other tabs and devices. Does nothing while a part further up
 * is shown.
 */
export async function reloadMessages(sessId: string, { stay = false } = {}): Promise<void> {
  const before = getConversation(sessId)
  if (before?.sending) return updateConversation(sessId, { isStale: true })
  if (before?.loading || before?.has_newer) return
  updateConversation(sessId, {
    loading: before?.messages.length ? null : 'first',
    loadError: null,
    isStale: false,
  })
  const previous = getConversation(sessId)?.messages
  try {
    const page = await request('GET /api/chat/messages', {
      query: { sess_id: sessId, chatbot: before?.chatbot },
    })
    updateConversation(sessId, (current) => {
      if (current.messages !== previous) return { ...endLoading(current), isStale: true }
      const { messages, older } = mergeNewestPage(current.messages, page.messages, page.has_more)
      const hasMore = older ? current.has_more : page.has_more
      return { messages, stay, has_more: hasMore, ...endLoading(current) }
    })
    const current = getConversation(sessId)
    if (current?.isStale && !current.sending) await reloadMessages(sessId)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const isGone = error.status === 404
    // A short network failure must not remove shown messages.
    updateConversation(sessId, (current) => ({
      ...endLoading(current),
      loadError: current.messages.length && !isGone ? null : { message: error.message, isGone },
    }))
  }
}
