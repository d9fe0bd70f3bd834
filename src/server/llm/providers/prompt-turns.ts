import { parseJsonObject } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import { getContentText } from '../chat.ts'
import type { PromptMessage, ToolCall } from '../chat.ts'

export type PromptTurn<Part> = { role: 'user' | 'assistant'; parts: Part[] }

/**
 * A prompt for the dialects that keep the system's words apart and let user and assistant take turns: messages of the
 * same side that follow each other are joined (results of tools are the user's), those that say nothing are left out.
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
    const by = message.role === 'assistant' ? 'assistant' : 'user'
    const parts = toParts(message)
    const last = turns.at(-1)
    if (last?.role === by) last.parts.push(...parts)
    else if (parts.length) turns.push({ role: by, parts })
  }
  return { system: system.join('\n\n'), turns }
}

/** The arguments of a call as an object; those that the model broke are handed back as they are, under one name. */
export function parseToolArguments({ arguments: text }: ToolCall): JsonObject {
  return parseJsonObject(text) ?? (text.trim() ? { arguments: text } : {})
}
