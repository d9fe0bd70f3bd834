import { create } from 'zustand'
import { ApiError, request } from '#web/core/api.ts'
import { mergeNewestPage, type Message } from './messages.ts'

/** One conversation as this tab knows it. `key` stays the same when a new one gets its session. */
export type Conversation = {
  key: string
  /** Who answers: a page shows only what the server has of its own chatbot. */
  chatbot?: string
  messages: Message[]
  has_more: boolean
  /** The newest messages are not among these: a part further up is shown. */
  has_newer: boolean
  loading: 'first' | 'older' | 'newer' | null
  /** The page on its way that is to be shown: one that was asked for before comes too late. Null while the newest are read. */
  awaitedPage: symbol | null
  /** Message that a search led to. */
  targetMessageId: string | null
  /** Model of its last question, or the one chosen since. */
  model: string | null
  /** Why the messages could not be loaded. */
  loadError: { message: string; gone: boolean } | null
  /** A question is on its way to the server. */
  sending: boolean
  /** The messages were read while a question was on its way: they are to be read again. */
  isStale: boolean
  /** The last change put older messages in front: the view keeps its place from the end. */
  prepended: boolean
  /** The last change showed another version: the view stays where it is. */
  stay: boolean
}

type State = {
  byId: Readonly<Record<string, Conversation>>
  /** Drafts that have become sessions. */
  sessionByLocalId: Readonly<Record<string, string>>
}

/** Live conversations, outside the pages: an answer goes on while the person looks at something else. */
export const useConversations = create<State>()(() => ({ byId: {}, sessionByLocalId: {} }))

let lastLocalId = 0
/** The id of a conversation before it has a session. */
export const createLocalConversationId = (): string => `draft-${++lastLocalId}`
export const isLocalConversation = (id: string): boolean => id.startsWith('draft-')

/** Where drafts of a conversation are kept: one without a session is a new one of its chatbot again after a reload. */
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

/** Whatever page is on its way is not waited for any more. */
export const noPage = { loading: null, awaitedPage: null } as const

/** A part further up is shown, or on its way. */
export const isFurtherUp = (id: string): boolean => {
  const { has_newer, loading, awaitedPage } = getConversation(id) ?? emptyConversation
  return has_newer || (loading === 'first' && awaitedPage !== null)
}

/** Changes a conversation; one that is not there yet begins empty. */
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

/** A page of this chatbot shows a conversation: what pages of others have made of it is forgotten. */
export function enterConversation(id: string, chatbot: string): void {
  if (getConversation(id)?.chatbot !== chatbot) updateConversation(id, { ...emptyConversation, chatbot })
}

/** A draft has been given its session: what was shown for the one is now the other. */
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

/** The newest page has come: whoever went elsewhere meanwhile goes on waiting. */
const endLoading = ({ loading, awaitedPage }: Conversation) => ({ loading: awaitedPage ? loading : null })

/**
 * Reads the newest page: the first time, or again to keep in step with other tabs and devices. Who reads further up is
 * left there.
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
    const gone = error.status === 404
    // A conversation that is on the screen stays there when the network fails for a moment.
    updateConversation(sessId, (current) => ({
      ...endLoading(current),
      loadError: current.messages.length && !gone ? null : { message: error.message, gone },
    }))
  }
}
