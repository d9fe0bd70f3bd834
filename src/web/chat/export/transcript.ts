import type { ChatMessage, ChatSession } from '#contract/chat.ts'
import { request } from '../../core/api.ts'
import { exportText } from '../../text/export.ts'

/** What is written to a file: a conversation, or one answer of it. */
export type Transcript = { title: string; session: ChatSession | null; messages: readonly ChatMessage[] }

export const formats = ['markdown', 'json', 'word', 'picture'] as const
export type Format = (typeof formats)[number]

/** How far an export has come: messages read, then hundredths of the picture drawn. */
export type Progress = { read: number } | { percent: number }
export type Watch = { signal?: AbortSignal; onProgress?: (progress: Progress) => void }

const PAGE_SIZE = 100

/** A whole conversation, the oldest message first: also what the screen has not loaded. Throws ApiError. */
export async function wholeConversation(
  sess_id: string,
  { signal, onProgress }: Watch = {},
): Promise<Transcript> {
  const options = signal ? { signal } : {}
  let messages: ChatMessage[] = []
  let session: ChatSession | null = null
  for (let more = true; more;) {
    const before = messages[0] ? { before: messages[0].id } : {}
    const query = { sess_id, size: PAGE_SIZE, ...before }
    const page = await request('GET /api/chat/messages', { query }, options)
    session ??= page.session
    messages = [...page.messages, ...messages]
    more = page.has_more && page.messages.length > 0
    onProgress?.({ read: messages.length })
  }
  return { title: session?.title || exportText.untitled, session, messages }
}

/** One answer alone, by its own first words. */
export function oneAnswer(answer: ChatMessage): Transcript {
  const words = answer.text.replace(/[#*`>$_~\\|-]+/g, '').trim()
  const title = words.split('\n', 1)[0]?.slice(0, 30) || exportText.untitled
  return { title, session: null, messages: [answer] }
}

/** How an answer ended, where it did not come to its own end; else empty. */
export function endingOf({ status, error }: ChatMessage): string {
  if (status === 'cancelled') return exportText.stopped
  return status === 'failed' || status === 'interrupted' ? exportText.failedAnswer(error ?? status) : ''
}

/** The words of a message; what was spoken has none. */
export const wordsOf = ({ text, content_type }: ChatMessage): string =>
  content_type === 'audio' && !text ? exportText.audio : text

/** Today in the reader's own time zone: `2026-01-31`. */
export const today = (): string => new Date().toLocaleDateString('sv-SE')
