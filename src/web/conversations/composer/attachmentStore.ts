import { create } from 'zustand'

/** A document attached to a question that is being written. */
export type Attachment = {
  /** Key of its upload, or id of its block when restored from a draft. */
  key: string
  name: string
  /** Null until it is uploaded. */
  block_id: string | null
  /** Some of its text has been read, or it is a picture, so that questions about it can be answered. */
  isAskable: boolean
}

/** By conversation and outside the pages, so that attachments wait while another conversation is shown. */
const useStore = create<{ byConversation: Readonly<Record<string, readonly Attachment[]>> }>()(() => ({
  byConversation: {},
}))

const none: readonly Attachment[] = []

/** The attachments of the next question of a conversation. */
export const useAttachments = (conversationKey: string): readonly Attachment[] =>
  useStore(({ byConversation }) => byConversation[conversationKey] ?? none)

export const getAttachments = (conversationKey: string): readonly Attachment[] =>
  useStore.getState().byConversation[conversationKey] ?? none

export const updateAttachments = (
  conversationKey: string,
  update: (attachments: readonly Attachment[]) => readonly Attachment[],
): void =>
  useStore.setState(({ byConversation }) => ({
    byConversation: { ...byConversation, [conversationKey]: update(getAttachments(conversationKey)) },
  }))

/** The ids of the uploaded attachments. */
export const getBlocks = (conversationKey: string): string[] =>
  getAttachments(conversationKey).flatMap(({ block_id }) => block_id ?? [])

/** Attaches a draft's documents to the next question again. Their names and states are requested where they are shown. */
export const restoreAttachments = (conversationKey: string, blocks: readonly string[]): void =>
  updateAttachments(conversationKey, (attachments) => [
    ...blocks
      .filter((id) => !attachments.some(({ block_id }) => block_id === id))
      .map((id) => ({ key: id, name: '', block_id: id, isAskable: false })),
    ...attachments,
  ])

/** Removes the attachments as the question is sent, and returns their block ids, separated by commas. */
export function takeAttachments(conversationKey: string): string {
  const ids = getBlocks(conversationKey)
  updateAttachments(conversationKey, () => [])
  return ids.join(',')
}
