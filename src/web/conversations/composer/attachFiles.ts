import type { UserInfo } from '#contract/users.ts'
import { BLOCK_CHANNEL, getUpload, getUploadModule } from '#web/files/files.ts'
import { attachmentsText } from '#web/text/attachments.ts'
import { toast } from '#web/ui/toast.ts'
import { getAttachments, updateAttachments, type Attachment } from './attachmentStore.ts'

// The contract's constant (MAX_BLOCKS_PER_QUESTION of questions.ts), repeated so as not to load the schema library.
const MAX_ATTACHMENTS = 10

/** Attaches files, or a text as a file, to the next question of a conversation, and uploads them. */
export async function attach(
  conversationKey: string,
  content: readonly File[] | string,
  level: UserInfo['level'],
): Promise<void> {
  const files =
    typeof content === 'string'
      ? [new File([content], attachmentsText.pastedName, { type: 'text/plain' })]
      : content
  if (getAttachments(conversationKey).length + files.length > MAX_ATTACHMENTS)
    return toast.error(attachmentsText.tooMany(MAX_ATTACHMENTS))
  const { addUploads } = await getUploadModule()
  const newAttachments = addUploads(files, { channel: BLOCK_CHANNEL, level }).map((key): Attachment => ({
    key,
    name: getUpload(key)?.name ?? '',
    block_id: null,
    isAskable: false,
  }))
  updateAttachments(conversationKey, (attachments) => [...attachments, ...newAttachments])
}
