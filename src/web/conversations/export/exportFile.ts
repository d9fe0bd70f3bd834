import type { ChatMessage } from '#contract/chat.ts'
import { ApiError } from '#web/core/api.ts'
import { exportText } from '#web/text/export.ts'
import { download } from '#web/ui/download.ts'
import { toast } from '#web/ui/toast.ts'
import { toFileName } from './fileName.ts'
import { toJson, toMarkdown } from './textFiles.ts'
import {
  type ExportFormat,
  createAnswerTranscript,
  type Transcript,
  type ExportOptions,
  loadTranscript,
} from './transcript.ts'

const extensions: Record<ExportFormat, string> = {
  markdown: 'md',
  json: 'json',
  word: 'docx',
  picture: 'png',
}

/** Saves a whole conversation as a file. Reports a failure to the person, but not a cancellation. */
export const exportConversation = (
  sessId: string,
  format: ExportFormat,
  options: ExportOptions = {},
): Promise<void> =>
  reportFailure(options, async () => saveFile(await loadTranscript(sessId, options), format, options))

export const exportAnswer = (
  answer: ChatMessage,
  format: ExportFormat,
  options: ExportOptions = {},
): Promise<void> => reportFailure(options, () => saveFile(createAnswerTranscript(answer), format, options))

async function saveFile(transcript: Transcript, format: ExportFormat, options: ExportOptions): Promise<void> {
  if (!transcript.messages.length) return toast.error(exportText.nothing)
  const file = await createFile(transcript, format, options)
  if (!options.signal?.aborted) download(file, toFileName(transcript.title, extensions[format]))
}

/** Word and pictures have code of their own, loaded on demand. */
async function createFile(
  transcript: Transcript,
  format: ExportFormat,
  options: ExportOptions,
): Promise<Blob> {
  switch (format) {
    case 'markdown':
      return new Blob([toMarkdown(transcript)], { type: 'text/markdown' })
    case 'json':
      return new Blob([toJson(transcript)], { type: 'application/json' })
    case 'word':
      return (await import('./word/document.ts')).renderWord(transcript)
    case 'picture':
      return (await import('./picture/picture.ts')).renderPicture(transcript, options)
  }
}

async function reportFailure({ signal }: ExportOptions, operation: () => Promise<void>): Promise<void> {
  try {
    await operation()
  } catch (error) {
    if (signal?.aborted) return
    const hasMessage = error instanceof ApiError || error instanceof RangeError
    toast.error(hasMessage ? error.message : exportText.failed)
  }
}
