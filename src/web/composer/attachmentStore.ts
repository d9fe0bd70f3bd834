import { create } from 'zustand'

/** A document beside a question that is being written. */
export type Attachment = {
  /** Of its upload. */
  key: string
  name: string
  /** Once it is uploaded. */
  block_id: string | null
  /** Some of it has been read, or it is a picture: it can be asked about. */
  isAskable: boolean
}

/** A document beside a question as a draft keeps it. */
export type AttachedFile = { id: string; name: string }

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

/** A document that is uploaded already, beside a question again. What is known of it by now is shown with it. */
export const createAttachment = ({ id, name }: AttachedFile): Attachment => ({
  key: id,
  name,
  block_id: id,
  isAskable: false,
})

/** Takes what is attached to the next question, as it is sent: ids of blocks, separated by commas. */
export function takeAttachments(conversationKey: string): string {
  const ids = getAttachments(conversationKey).map(({ block_id }) => block_id)
  updateAttachments(conversationKey, () => [])
  return ids.join(',')
}
