import type { ChatMessage, ChatSession } from '#contract/chat.ts'
import { withoutErrorText } from '#contract/conversations/failed-answer.ts'
import { request } from '#web/core/api.ts'
import { exportText } from '#web/text/export.ts'

/** Contents of an export: a conversation, or one of its answers. */
export type Transcript = { title: string; session: ChatSession | null; messages: readonly ChatMessage[] }

export const exportFormats = ['markdown', 'json', 'word', 'picture'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Progress of an export: messages read, then percent of the picture drawn. */
export type ExportProgress = { read: number } | { percent: number }
export type ExportOptions = { signal?: AbortSignal; onProgress?: (progress: ExportProgress) => void }

const PAGE_SIZE = 100

/** Loads a whole conversation, the oldest message first. Throws ApiError. */
export async function loadTranscript(
  sessId: string,
  { signal, onProgress }: ExportOptions = {},
): Promise<Transcript> {
  const options = signal ? { signal } : {}
  let messages: ChatMessage[] = []
  let session: ChatSession | null = null
  for (let hasMore = true; hasMore;) {
    const before = messages[0] ? { before: messages[0].id } : {}
    const query = { sess_id: sessId, size: PAGE_SIZE, ...before }
    const page = await request('GET /api/chat/messages', { query }, options)
    session ??= page.session
    messages = [...page.messages.map(withoutErrorText), ...messages]
    hasMore = page.has_more && page.messages.length > 0
    onProgress?.({ read: messages.length })
  }
  return { title: session?.title || exportText.untitled, session, messages }
}

/** One answer alone, titled by its first words. */
export function createAnswerTranscript(answer: ChatMessage): Transcript {
  const words = answer.text.replace(/[#*`>$_~\\|-]+/g, '').trim()
  const title = words.split('\n', 1)[0]?.slice(0, 30) || exportText.untitled
  return { title, session: null, messages: [answer] }
}

/** Says how an answer ended, if not normally; else empty. */
export function getStatusNote({ status, error }: ChatMessage): string {
  if (status === 'cancelled') return exportText.stopped
  return status === 'failed' || status === 'interrupted' ? exportText.failedAnswer(error ?? status) : ''
}

/** The text of a message, with a stand-in for a recording without one. */
export const getMessageText = ({ text, content_type }: ChatMessage): string =>
  content_type === 'audio' && !text ? exportText.audio : text

/** Today's date in the reader's time zone: `2026-01-31`. */
export const formatToday = (): string => new Date().toLocaleDateString('sv-SE')
