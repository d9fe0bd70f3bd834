import { create } from 'zustand'
import { tabStorage } from '#web/core/browserStorage.ts'
import { getConversation } from '#web/conversations/conversations.ts'
import type { Attachment } from './attachmentStore.ts'

/** A question that waits for the answer before it. */
export type QueuedQuestion = {
  id: number
  prompt: string
  attachments: readonly Attachment[]
  /** Asks it, as it was meant when it was written: with that model and those tools. */
  send: () => void
}

export type QuestionQueue = {
  /** In the order in which they are asked. */
  questions: readonly QueuedQuestion[]
  /** Those that are not asked by themselves any more: they go back to the field. */
  returned: readonly QueuedQuestion[]
}

/** By conversation, outside the pages: it goes on while another one is looked at. */
export const useQueueStore = create<{ byConversation: Readonly<Record<string, QuestionQueue>> }>()(() => ({
  byConversation: {},
}))

const emptyQueue: QuestionQueue = { questions: [], returned: [] }

export const getQueue = (conversationKey: string): QuestionQueue =>
  useQueueStore.getState().byConversation[conversationKey] ?? emptyQueue

export const useQueue = (conversationKey: string): QuestionQueue =>
  useQueueStore(({ byConversation }) => byConversation[conversationKey] ?? emptyQueue)

// Below the drafts' own prefix: they are forgotten together when somebody signs out.
const PREFIX = 'wenqu.draft.queued.'
/** A conversation that has no session yet is a new one again after a reload. */
export const toStorageKey = (id: string): string => PREFIX + (id.startsWith('draft-') ? 'new' : id)

/** What was queued in a conversation, or in `new`, before the page was loaded again; once, and not while it waits here. */
export function takeSavedQueue(draftKey: string, conversationKey: string): string {
  const key = getConversation(draftKey)?.key ?? conversationKey
  if (useQueueStore.getState().byConversation[key]) return ''
  const text = tabStorage.getItem(PREFIX + draftKey) ?? ''
  tabStorage.removeItem(PREFIX + draftKey)
  return text
}
