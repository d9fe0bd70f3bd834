import type { Message } from './messages.ts'

type Asked = Pick<Message, 'block' | 'content_type'>

/** The block of a spoken question's recording. */
export const getRecordingId = ({ block, content_type }: Asked): string | undefined =>
  content_type === 'audio' ? block?.split(',')[0] : undefined

/** The blocks of the documents that a question is about. */
export const listDocuments = ({ block, content_type }: Asked): string[] =>
  (block ? block.split(',') : []).slice(content_type === 'audio' ? 1 : 0)
