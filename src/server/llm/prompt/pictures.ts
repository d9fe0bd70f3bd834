import { asString, isJsonObject } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import type { Content, ContentPart, PromptMessage } from '../chat-request.ts'
import { mapBlocks, mapInnerBlocks } from './native-blocks.ts'

/** The first bytes of pictures in base64, by their type. */
const BEGINNINGS: [RegExp, string][] = [
  [/^iVBORw0KGgo/, 'image/png'],
  [/^\/9j\//, 'image/jpeg'],
  [/^R0lGOD[dl]h/, 'image/gif'],
  [/^UklGR.{6}XRUJQ/, 'image/webp'],
]

/** Gives pictures the type that their bytes have, since platforms compare the two. */
export function labelPictures(messages: PromptMessage[]): PromptMessage[] {
  return messages.map((message) => {
    if (typeof message.content === 'string') return message
    return { ...mapBlocks(message, labelBlock), content: labelContent(message.content) }
  })
}

const labelContent = (content: ContentPart[]): Content =>
  content.map((part) =>
    part.type === 'image' && 'data' in part && typeof part.data === 'string'
      ? { ...part, media_type: findType(part.data, part.media_type) }
      : part,
  )

function labelBlock(block: JsonObject): JsonObject {
  const { type, source } = block
  if (type !== 'image' || !isJsonObject(source) || source['type'] !== 'base64')
    return mapInnerBlocks(block, labelBlock)
  const mediaType = findType(asString(source['data']), asString(source['media_type']))
  return { ...block, source: { ...source, media_type: mediaType } }
}

const findType = (base64: string, declaredType: string): string =>
  BEGINNINGS.find(([beginning]) => beginning.test(base64))?.[1] ?? declaredType
