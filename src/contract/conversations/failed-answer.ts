import type { ChatMessage } from '#contract/chat.ts'

/**
 * Returns a message without the server's words in the place of an answer that failed before its first word (specification section
 * 8): they are in `error`, too, and no model wrote them.
 */
export const withoutErrorText = <M extends Pick<ChatMessage, 'text' | 'error'>>(message: M): M =>
  message.text === message.error ? { ...message, text: '' } : message
