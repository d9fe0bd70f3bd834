import { isJsonObject } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import type { PromptMessage } from '../chat-request.ts'

/** Changes the blocks of Anthropic's dialect that a message came with, if any. */
export function mapBlocks<Message extends PromptMessage>(
  message: Message,
  change: (block: JsonObject) => JsonObject,
): Message {
  const { provider_options: options } = message
  if (!options?.anthropic) return message
  const blocks = options.anthropic.blocks.map(change)
  return { ...message, provider_options: { ...options, anthropic: { blocks } } }
}

/** Changes the blocks within the result of a tool; any other block stays as it is. */
export function mapInnerBlocks(block: JsonObject, change: (block: JsonObject) => JsonObject): JsonObject {
  const { type, content } = block
  if (type !== 'tool_result' || !Array.isArray(content)) return block
  return { ...block, content: content.map((inner: unknown) => (isJsonObject(inner) ? change(inner) : inner)) }
}
