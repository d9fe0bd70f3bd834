import type { Need } from './catalogue/family-schema.ts'
import { isToolForced } from './chat-request.ts'
import type { ChatRequest, ContentPart } from './chat-request.ts'

export type { Need } from './catalogue/family-schema.ts'

/** Needs that a model can be asked to meet in words, where its platform cannot promise them. */
const ASKED_IN_WORDS: readonly Need[] = ['json', 'json_schema', 'forced_tool']

/** Tells whether words are no help where a platform lacks this. */
export const isStrict = (need: Need): boolean => !ASKED_IN_WORDS.includes(need)

const PART_NEEDS: Record<ContentPart['type'], Need | null> = {
  text: null,
  image: 'vision',
  audio: 'audio',
  file: 'files',
}

/** Lists the needs that the model and the platform of a request must meet. */
export function listNeeds(request: Pick<ChatRequest, 'messages' | 'n'> & Partial<ChatRequest>): Need[] {
  const { messages, n = 1, tools, tool_choice, response_format } = request
  const needs = new Set<Need>()
  if (n > 1) needs.add('choices')
  if (tools?.length) needs.add('tools')
  if (isToolForced({ tool_choice })) needs.add('forced_tool')
  if (response_format) needs.add(response_format.type)
  const last = messages.at(-1)
  if (last?.role === 'assistant' && last.content.length && !last.tool_calls?.length) needs.add('prefix')
  for (const { content } of messages) {
    if (typeof content === 'string') continue
    for (const { type } of content) {
      const need = PART_NEEDS[type]
      if (need) needs.add(need)
    }
  }
  return [...needs]
}
