import { listMedia, joinTexts } from '../chat-request.ts'
import type { PromptMessage } from '../chat-request.ts'

/** Stands for the result of a tool that returned nothing. */
const NO_OUTPUT = '(no output)'

/** Leaves out empty messages, which several platforms refuse; the empty result of a tool gets words. */
export function fillEmptyMessages(messages: PromptMessage[]): PromptMessage[] {
  const filled = messages.flatMap((message): PromptMessage[] => {
    if (!isEmpty(message)) return [message]
    if (message.role === 'tool') return [{ ...message, content: NO_OUTPUT }]
    return message.role === 'assistant' && message.tool_calls?.length ? [message] : []
  })
  return filled.length ? filled : messages
}

function isEmpty({ content }: PromptMessage): boolean {
  if (typeof content === 'string') return !content
  return !joinTexts(content) && !listMedia(content).length
}
