import { estimatePrompt } from '#server/llm/llm.ts'
import type { Content, PromptMessage } from '#server/llm/llm.ts'

/** How much of a model's context may go to a prompt with what is remembered, in percent: the rest is for the answer. */
const CONTEXT_SHARE_PERCENT = 75
/** Stands for a picture that was sent as its bytes: those are not remembered. */
const IMAGE_PLACEHOLDER = '[图片]'

/** A call's messages: the system messages that they begin with, and the rest. */
export type NewMessages = { system: PromptMessage[]; messages: PromptMessage[] }

export function splitSystemMessages(messages: PromptMessage[]): NewMessages {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const end = first === -1 ? messages.length : first
  return { system: messages.slice(0, end), messages: messages.slice(end) }
}

/**
 * The prompt of a call that goes on with a conversation: the system messages, as many of its latest whole turns as fit
 * the model's context (tokens), and what the call brought. `turns` are newest first. Results of tools stay with the turn
 * that asked for them: neither says anything without the other.
 */
export function buildMemoryPrompt(
  { system, messages }: NewMessages,
  turns: PromptMessage[][],
  model: { id: string; context_window: number },
): PromptMessage[] {
  let room =
    (model.context_window * CONTEXT_SHARE_PERCENT) / 100 - estimatePrompt([...system, ...messages], model.id)
  const prompt = [...messages]
  let whole: PromptMessage[] = []
  for (const turn of turns) {
    whole.unshift(...turn)
    if (turn[0]?.role === 'tool') continue
    room -= estimatePrompt(whole, model.id)
    if (room < 0 && prompt[0]?.role !== 'tool') break
    prompt.unshift(...whole)
    whole = []
  }
  return [...system, ...prompt]
}

/** A message as it is remembered. */
export function stripImages(message: PromptMessage): PromptMessage {
  return { ...message, content: stripImageParts(message.content) }
}

function stripImageParts(content: Content): Content {
  if (typeof content === 'string') return content
  return content.map((part) =>
    part.type === 'image' && 'data' in part ? { type: 'text', text: IMAGE_PLACEHOLDER } : part,
  )
}
