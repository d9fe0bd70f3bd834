import { joinTexts } from '../chat-request.ts'
import type { PromptMessage } from '../chat-request.ts'
import { toMarkedText } from '../prompt/system-messages.ts'

export type PromptTurn<Part> = { role: 'user' | 'assistant' | 'system'; parts: Part[] }

type Options<Part> = {
  toParts: (message: PromptMessage) => Part[]
  /** The platform takes instructions between turns, after the user and before the assistant. */
  hasSystemTurns?: boolean
}

/**
 * Groups a prompt for dialects with a separate system prompt and alternating turns of user and assistant: consecutive messages of
 * one role are joined (tool results are the user's), empty ones are left out. Instructions within the conversation stay in their
 * place: as a turn of their own, or as marked words of the user.
 */
export function groupIntoTurns<Part>(
  messages: PromptMessage[],
  { toParts, hasSystemTurns = false }: Options<Part>,
): { system: PromptMessage[]; turns: PromptTurn<Part>[] } {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const turnsStart = first === -1 ? messages.length : first
  const turns: PromptTurn<Part>[] = []
  for (const [index, message] of messages.entries()) {
    if (index < turnsStart) continue
    const last = turns.at(-1)
    const isOwnTurn =
      hasSystemTurns && message.role === 'system' && isAfterUser(last) && isBeforeAssistant(messages, index)
    const role = isOwnTurn ? 'system' : message.role === 'assistant' ? 'assistant' : 'user'
    const parts = toParts(message.role === 'system' && !isOwnTurn ? toMarkedText(message) : message)
    if (last?.role === role) last.parts.push(...parts)
    else if (parts.length) turns.push({ role, parts })
  }
  return { system: messages.slice(0, turnsStart), turns }
}

/** The text of the instructions that a prompt begins with. */
export const joinSystemText = (system: PromptMessage[]): string =>
  system.flatMap(({ content }) => joinTexts(content) || []).join('\n\n')

const isAfterUser = (last: PromptTurn<unknown> | undefined): boolean =>
  last?.role === 'user' || last?.role === 'system'

const isBeforeAssistant = (messages: PromptMessage[], index: number): boolean =>
  (messages.slice(index).find(({ role }) => role !== 'system')?.role ?? 'assistant') === 'assistant'
