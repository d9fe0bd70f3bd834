import { create } from 'zustand'
import { type Draft, emptyDraft, takeDraft } from '#web/core/draftStorage.ts'
import { getConversation } from '#web/conversations/conversations.ts'
import type { Attachment } from './attachmentStore.ts'

/** A question that waits for the answer before it. */
export type QueuedQuestion = {
  id: number
  prompt: string
  attachments: readonly Attachment[]
  /** Asks the question with the model and tools chosen when it was written. */
  send: () => void
}

/** State of the newest answers of a conversation. */
type NewestAnswers = {
  /** Key of the conversation's draft. */
  draftKey: string
  /** Key of the newest message or turn. */
  key: string | undefined
  /** `other` means stopped or failed. */
  status: 'busy' | 'done' | 'other'
}

/** Gives the queue of questions access to conversations or comparisons. */
export type QueueSource = {
  /** Finds a conversation by its key; undefined where it was deleted. */
  find: (conversationKey: string) => NewestAnswers | undefined
  /** Calls `onChange` at every change, permanently. */
  subscribe: (onChange: () => void) => unknown
}

export type QuestionQueue = {
  /** In the order in which they will be asked. */
  questions: readonly QueuedQuestion[]
  /** Questions that will not be asked automatically and go back to the field. */
  returned: readonly QueuedQuestion[]
}

/** By conversation and outside the pages, so that a queue goes on while another conversation is shown. */
export const useQueueStore = create<{ byConversation: Readonly<Record<string, QuestionQueue>> }>()(() => ({
  byConversation: {},
}))

const emptyQueue: QuestionQueue = { questions: [], returned: [] }

export const getQueue = (conversationKey: string): QuestionQueue =>
  useQueueStore.getState().byConversation[conversationKey] ?? emptyQueue

export const useQueue = (conversationKey: string): QuestionQueue =>
  useQueueStore(({ byConversation }) => byConversation[conversationKey] ?? emptyQueue)

export const toDraftName = (draftKey: string): string => `queued.${draftKey}`

/** Takes the questions that were queued before a reload, once; none while the queue still exists in this tab. */
export function takeSavedQueue(draftKey: string, conversationKey: string): Draft {
  const key = getConversation(draftKey)?.key ?? conversationKey
  if (useQueueStore.getState().byConversation[key]) return emptyDraft
  return takeDraft(toDraftName(draftKey))
}
