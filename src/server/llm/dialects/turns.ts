import { textOf } from '../chat.ts'
import type { JsonObject, PromptMessage, ToolCall } from '../chat.ts'
import { isJson } from './event.ts'

export type Turn<Part> = { by: 'user' | 'assistant'; parts: Part[] }

/**
 * A prompt for the dialects that keep the system's words apart and let user and assistant take turns: messages of the
 * same side that follow each other are joined (results of tools are the user's), those that say nothing are left out.
 */
export function turnsOf<Part>(
  messages: PromptMessage[],
  partsOf: (message: PromptMessage) => Part[],
): { system: string; turns: Turn<Part>[] } {
  const system = messages.flatMap(({ role, content }) => (role === 'system' ? textOf(content) || [] : []))
  const turns: Turn<Part>[] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const by = message.role === 'assistant' ? 'assistant' : 'user'
    const parts = partsOf(message)
    const last = turns.at(-1)
    if (last?.by === by) last.parts.push(...parts)
    else if (parts.length) turns.push({ by, parts })
  }
  return { system: system.join('\n\n'), turns }
}

/** The arguments of a call as an object; those that the model broke are handed back as they are, under one name. */
export function argumentsOf({ arguments: text }: ToolCall): JsonObject {
  return parsedObject(text) ?? (text.trim() ? { arguments: text } : {})
}

/** The object that a JSON text is; null when it is none. */
export function parsedObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? value : null
  } catch {
    return null
  }
}
