import { create } from 'zustand'
import { type Draft, emptyDraft, takeDraft } from '#web/core/draftStorage.ts'
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

/** How the newest answers of a conversation stand. */
type NewestAnswers = {
  /** Where a draft of it is kept. */
  draftKey: string
  /** Of the newest message or turn. */
  key: string | undefined
  /** `other`: stopped or failed. */
  status: 'busy' | 'done' | 'other'
}

/** Conversations, or comparisons, as the queue of their questions looks at them. */
export type QueueSource = {
  /** By the key of a conversation; nothing where it was deleted. */
  find: (conversationKey: string) => NewestAnswers | undefined
  /** Calls `onChange` at every change of any of them, for good. */
  subscribe: (onChange: () => void) => unknown
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

export const toDraftName = (draftKey: string): string => `queued.${draftKey}`

/** What was queued in a conversation, or in `new`, before the page was loaded again; once, and not while it waits here. */
export function takeSavedQueue(draftKey: string, conversationKey: string): Draft {
  const key = getConversation(draftKey)?.key ?? conversationKey
  if (useQueueStore.getState().byConversation[key]) return emptyDraft
  return takeDraft(toDraftName(draftKey))
}
