import { isJsonObject } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import type { PromptMessage } from '../chat-request.ts'

/** A message with its blocks of Anthropic's dialect, where it came with them, changed as well. */
export function mapBlocks<Message extends PromptMessage>(
  message: Message,
  change: (block: JsonObject) => JsonObject,
): Message {
  const { provider_options: options } = message
  if (!options?.anthropic) return message
  const blocks = options.anthropic.blocks.map(change)
  return { ...message, provider_options: { ...options, anthropic: { blocks } } }
}

/** The blocks within a block that is a result of a tool, changed; any other as it is. */
export function mapInnerBlocks(block: JsonObject, change: (block: JsonObject) => JsonObject): JsonObject {
  const { type, content } = block
  if (type !== 'tool_result' || !Array.isArray(content)) return block
  return { ...block, content: content.map((inner: unknown) => (isJsonObject(inner) ? change(inner) : inner)) }
}
