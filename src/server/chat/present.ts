import { PLACEHOLDER } from '#contract/chat.ts'
import type { ChatMessage, ChatSession } from '#contract/chat.ts'
import { errors } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { MessageRow, SessionRow } from './store.ts'

/** A message as the wire shows it. Of one that is still typing: the text so far, or the placeholder. */
export function presentMessage(row: MessageRow, text_so_far = ''): ChatMessage {
  const { id, sess_id, chat_id, role, model, chat_model, content_type, stream, status, tools, block } = row
  return {
    id,
    sess_id,
    chat_id,
    role,
    text: status === 'typing' ? text_so_far || PLACEHOLDER : row.text,
    model,
    chat_model,
    content_type,
    stream,
    status,
    error: row.error_code ? reason(row.error_code) : null,
    tools,
    agent: null,
    block,
    quick_action: null,
    related_prompts: [],
    search: row.search,
    created_at: row.created_at.toISOString(),
  }
}

export function presentSession(row: SessionRow, current: boolean): ChatSession {
  const { id, chatbot, title, pinned, model, updated_at } = row
  return { id, chatbot, title, pinned, model, current, updated_at: updated_at.toISOString() }
}

/** Why an answer failed; a code that the contract no longer knows still has a reason. */
const reason = (code: string): string => (errors[code as ErrorCode] ?? errors.internal).message
