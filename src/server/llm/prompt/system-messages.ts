import { joinTexts } from '../chat-request.ts'
import type { Content, PromptMessage } from '../chat-request.ts'
import type { PromptTraits } from '../catalogue/family-schema.ts'

const BILLING_HEADER = /^x-anthropic-billing-header:/

/** Puts instructions where the platform takes them. If a prompt has nothing else, the last of them becomes the user's. */
export function placeSystemMessages(
  messages: PromptMessage[],
  place: PromptTraits['system_messages'],
): PromptMessage[] {
  if (place === 'anywhere') return messages
  const promptMessages = messages.every(({ role }) => role === 'system') ? askByLast(messages) : messages
  return place === 'first' ? joinFirst(promptMessages) : promptMessages
}

function askByLast(messages: PromptMessage[]): PromptMessage[] {
  const last = messages.at(-1)
  return last ? [...messages.slice(0, -1), { role: 'user', content: last.content }] : messages
}

/** Joins the instructions at the beginning into one message; later ones become marked words of the user, in their place. */
function joinFirst(messages: PromptMessage[]): PromptMessage[] {
  const firstTurn = messages.findIndex(({ role }) => role !== 'system')
  const isPlaced = firstTurn <= 1 && messages.slice(firstTurn).every(({ role }) => role !== 'system')
  if (isPlaced) return messages
  const text = messages
    .slice(0, firstTurn)
    .flatMap(({ content }) => joinTexts(content) || [])
    .join('\n\n')
  const rest = messages
    .slice(firstTurn)
    .map((message) => (message.role === 'system' ? toMarkedText(message) : message))
  return text ? [{ role: 'system', content: text }, ...rest] : rest
}

/** Marks instructions as words of the user. */
export function toMarkedText({ content }: PromptMessage): PromptMessage {
  const text = joinTexts(content)
  return { role: 'user', content: text && `<system>\n${text}\n</system>` }
}

/**
 * Leaves out the block with which Claude Code begins its instructions: it changes with each session or call, so that no
 * platform but Anthropic's own would find the beginning of a prompt in its cache.
 */
export function omitBillingHeader(messages: PromptMessage[]): PromptMessage[] {
  if (messages[0]?.role !== 'system' || !startsWithHeader(messages[0].content)) return messages
  const { role, content } = messages[0]
  const body = typeof content === 'string' ? content.replace(/^[^\n]*\n*/, '') : content.slice(1)
  return body.length ? [{ role, content: body }, ...messages.slice(1)] : messages.slice(1)
}

function startsWithHeader(content: Content): boolean {
  const [first] = content
  const text =
    typeof content === 'string'
      ? content
      : typeof first === 'object' && first.type === 'text'
        ? first.text
        : ''
  return BILLING_HEADER.test(text)
}
