import { PLACEHOLDER } from '#contract/chat.ts'
import type { ChatMessage, ChatSession } from '#contract/chat.ts'
import { errors } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { toExactCoins } from '#server/core/coins.ts'
import type { MessageRow } from './messages/store.ts'
import type { SessionRow } from './sessions/store.ts'

type PartialOutput = { text: string; reasoning: string }

/**
 * Formats a message for the wire. One that is still typing gets its run's output so far, or the placeholder; one that failed
 * before its first word gets the reason as its text, which is not stored. One read without its versions is its only one.
 */
export function presentMessage(
  row: MessageRow & { versions?: string[] },
  partial: PartialOutput = { text: '', reasoning: '' },
): ChatMessage {
  const { id, sess_id, chat_id, role, model, chat_model, content_type, stream, status, tools, block } = row
  const text = row.text + partial.text
  const error = row.error_code ? toErrorMessage(row.error_code) : null
  return {
    id,
    sess_id,
    chat_id,
    role,
    text: text || (status === 'typing' ? PLACEHOLDER : (error ?? '')),
    model,
    chat_model,
    content_type,
    stream,
    status,
    error,
    tools,
    agent: row.agent,
    block,
    search: row.search,
    quick_action: row.quick_action,
    liked: row.liked,
    feedback: row.feedback,
    related_prompts: row.related_prompts,
    wants_related: row.wants_related,
    reasoning: row.reasoning + partial.reasoning,
    reasoning_ms: row.reasoning_ms,
    versions: row.versions ?? [id],
    continuable: isContinuable(row),
    figures: toFigures(row),
    created_at: row.created_at.toISOString(),
  }
}

function toFigures({
  platform,
  first_text_ms,
  duration_ms,
  input_tokens,
  output_tokens,
  amount,
}: MessageRow): ChatMessage['figures'] {
  if (platform === null) return null
  return { platform, first_text_ms, duration_ms, input_tokens, output_tokens, amount: toExactCoins(amount) }
}

export function presentSession(row: SessionRow, current: boolean): ChatSession {
  const { id, chatbot, title, pinned, archived, model, updated_at } = row
  return { id, chatbot, title, pinned, archived, model, current, updated_at: updated_at.toISOString() }
}

/** Tells whether an answer ended early, with text to continue from. */
export function isContinuable({
  role,
  text,
  status,
  finish,
}: Pick<MessageRow, 'role' | 'text' | 'status' | 'finish'>): boolean {
  if (role !== 'ai' || !text || status === 'typing') return false
  return status !== 'done' || finish === 'length'
}

/** Returns the reason for an answer's failure; even a code that the contract does not know has one. */
const toErrorMessage = (code: string): string => (errors[code as ErrorCode] ?? errors.internal).message
