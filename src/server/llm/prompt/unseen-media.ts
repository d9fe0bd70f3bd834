import type { ChatRequest, Content, ContentPart } from '../chat-request.ts'
import type { ModelEntry } from '../catalogue/schema.ts'

const CAPABILITIES = { image: 'vision', file: 'files', audio: 'audio' } as const

/**
 * Replaces pictures and the like in results of tools, where the model cannot see them, by words that say so: an agent that has
 * read a picture could not go on otherwise. Media that a person sends are refused instead, with a reason.
 */
export function describeUnseenMedia(request: ChatRequest, { capabilities }: ModelEntry): ChatRequest {
  const isUnseen = (part: ContentPart): boolean =>
    part.type !== 'text' && !capabilities.includes(CAPABILITIES[part.type])
  const describe = (content: Content): Content =>
    typeof content === 'string'
      ? content
      : content.map((part) =>
          isUnseen(part) ? { type: 'text', text: `[This model cannot read the ${part.type} here.]` } : part,
        )
  const messages = request.messages.map((message) =>
    message.role === 'tool' ? { ...message, content: describe(message.content) } : message,
  )
  return { ...request, messages }
}
