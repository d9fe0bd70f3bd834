import type { ChatMessage } from '#contract/chat.ts'

/**
 * A message without what the server says in the place of an answer that failed before its first word (specification section 8):
 * that is in `error` too, and nothing that a model wrote.
 */
export const withoutErrorText = <M extends Pick<ChatMessage, 'text' | 'error'>>(message: M): M =>
  message.text === message.error ? { ...message, text: '' } : message
