import { parseJsonObject } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import type { PromptMessage, ToolCall } from '../chat-request.ts'

/** The arguments of a call as an object; malformed ones as their text, in a member `arguments`. */
export function parseToolArguments({ arguments: text }: Pick<ToolCall, 'arguments'>): JsonObject {
  return parseJsonObject(text) ?? (text.trim() ? { arguments: text } : {})
}

/** Makes all calls' arguments JSON objects: a call with cut ones would make each later request fail. */
export function repairArguments(messages: PromptMessage[]): PromptMessage[] {
  return messages.map((message) => {
    if (message.role !== 'assistant' || !message.tool_calls?.some(isBroken)) return message
    const toolCalls = message.tool_calls.map((call) =>
      isBroken(call) ? { ...call, arguments: JSON.stringify(parseToolArguments(call)) } : call,
    )
    return { ...message, tool_calls: toolCalls }
  })
}

const isBroken = ({ arguments: text }: ToolCall): boolean => text !== '{}' && parseJsonObject(text) === null
