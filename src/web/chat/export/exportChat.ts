import type { ChatMessage } from '#contract/chat.ts'
import { ApiError } from '../../core/api.ts'
import { exportText } from '../../text/export.ts'
import { download } from '../../ui/download.ts'
import { toast } from '../../ui/toast.ts'
import { fileName } from './fileName.ts'
import { toJson, toMarkdown } from './textFiles.ts'
import { type Format, oneAnswer, type Transcript, type Watch, wholeConversation } from './transcript.ts'

const extensions: Record<Format, string> = { markdown: 'md', json: 'json', word: 'docx', picture: 'png' }

/** Saves a whole conversation as a file. A failure is told the person; being cancelled is none. */
export const exportConversation = (sess_id: string, format: Format, watch: Watch = {}): Promise<void> =>
  told(watch, async () => save(await wholeConversation(sess_id, watch), format, watch))

/** Saves one answer as a file. */
export const exportAnswer = (answer: ChatMessage, format: Format, watch: Watch = {}): Promise<void> =>
  told(watch, () => save(oneAnswer(answer), format, watch))

async function save(transcript: Transcript, format: Format, watch: Watch): Promise<void> {
  if (!transcript.messages.length) return toast.error(exportText.nothing)
  const file = await fileOf(transcript, format, watch)
  if (!watch.signal?.aborted) download(file, fileName(transcript.title, extensions[format]))
}

/** Word and pictures bring their own code, which is loaded when somebody asks for them. */
async function fileOf(transcript: Transcript, format: Format, watch: Watch): Promise<Blob> {
  switch (format) {
    case 'markdown':
      return new Blob([toMarkdown(transcript)], { type: 'text/markdown' })
    case 'json':
      return new Blob([toJson(transcript)], { type: 'application/json' })
    case 'word':
      return (await import('./word/document.ts')).toWord(transcript)
    case 'picture':
      return (await import('./picture/picture.ts')).toPicture(transcript, watch)
  }
}

async function told({ signal }: Watch, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (signal?.aborted) return
    const known = error instanceof ApiError || error instanceof RangeError
    toast.error(known ? error.message : exportText.failed)
  }
}
