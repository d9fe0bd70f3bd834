import type { Message } from './messages.ts'

type QuestionContent = Pick<Message, 'block' | 'content_type'>

/** Id of the recording of a spoken question. */
export const getRecordingId = ({ block, content_type }: QuestionContent): string | undefined =>
  content_type === 'audio' ? block?.split(',')[0] : undefined

/** Ids of a question's documents. */
export const listDocuments = ({ block, content_type }: QuestionContent): string[] =>
  (block ? block.split(',') : []).slice(content_type === 'audio' ? 1 : 0)
