import { parseJsonObject } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import { getContentText } from '../chat-request.ts'
import type { PromptMessage, ToolCall } from '../chat-request.ts'

export type PromptTurn<Part> = { role: 'user' | 'assistant'; parts: Part[] }

/**
 * A prompt for dialects with a separate system prompt and alternating turns of user and assistant: consecutive messages of
 * one role are joined (tool results are the user's), empty ones are left out.
 */
export function groupIntoTurns<Part>(
  messages: PromptMessage[],
  toParts: (message: PromptMessage) => Part[],
): { system: string; turns: PromptTurn<Part>[] } {
  const system = messages.flatMap(({ role, content }) =>
    role === 'system' ? getContentText(content) || [] : [],
  )
  const turns: PromptTurn<Part>[] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const parts = toParts(message)
    const last = turns.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else if (parts.length) turns.push({ role, parts })
  }
  return { system: system.join('\n\n'), turns }
}

/** The arguments of a call as an object; malformed ones as they are, under one name. */
export function parseToolArguments({ arguments: text }: ToolCall): JsonObject {
  return parseJsonObject(text) ?? (text.trim() ? { arguments: text } : {})
}
