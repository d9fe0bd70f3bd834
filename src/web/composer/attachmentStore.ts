import { create } from 'zustand'

/** A document beside a question that is being written. */
export type Attachment = {
  /** Names its upload, or its block where it is a draft's. */
  key: string
  name: string
  /** Once it is uploaded. */
  block_id: string | null
  /** Some of it has been read, or it is a picture: it can be asked about. */
  isAskable: boolean
}

/** By conversation, outside the pages: they wait in theirs while another one is looked at. */
const useStore = create<{ byConversation: Readonly<Record<string, readonly Attachment[]>> }>()(() => ({
  byConversation: {},
}))

const none: readonly Attachment[] = []

/** What is attached to the next question of a conversation. */
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

/** The ids of what is attached and uploaded. */
export const getBlocks = (conversationKey: string): string[] =>
  getAttachments(conversationKey).flatMap(({ block_id }) => block_id ?? [])

/** Puts documents of a draft beside the next question again. What else is known of them is asked for where they are shown. */
export const restoreAttachments = (conversationKey: string, blocks: readonly string[]): void =>
  updateAttachments(conversationKey, (attachments) => [
    ...blocks
      .filter((id) => !attachments.some(({ block_id }) => block_id === id))
      .map((id) => ({ key: id, name: '', block_id: id, isAskable: false })),
    ...attachments,
  ])

/** Takes what is attached to the next question, as it is sent: ids of blocks, separated by commas. */
export function takeAttachments(conversationKey: string): string {
  const ids = getBlocks(conversationKey)
  updateAttachments(conversationKey, () => [])
  return ids.join(',')
}
