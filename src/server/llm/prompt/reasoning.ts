import { asString } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import type { PromptMessage, SignedReasoning } from '../chat-request.ts'
import type { PromptTraits } from '../catalogue/family-schema.ts'

/** Stands for forgotten reasoning, where a platform refuses a call without any. An empty text is refused too. */
const UNKNOWN_REASONING = '…'

/** Anthropic's signatures are serialized messages in base64 and begin so; other platforms sign with an id of their own. */
const ANTHROPIC_SIGNATURE = /^E[\w+/]{7,}=*$/

/** Keeps the reasoning that the platform takes back, and adds a stand-in where the platform would miss it. */
export function fitReasoning(
  messages: PromptMessage[],
  { reasoning: place, needs_reasoning }: Pick<PromptTraits, 'reasoning' | 'needs_reasoning'>,
): PromptMessage[] {
  return messages.map((message) => {
    if (message.role !== 'assistant') return message
    const { reasoning, ...rest } = withKeptBlocks(message, place)
    if (place === 'unread') return rest
    if (place === 'signed') {
      const signed = reasoning?.signed?.filter(isAnthropicReasoning)
      return signed?.length ? { ...rest, reasoning: { text: reasoning!.text, signed } } : rest
    }
    const isMissed = needs_reasoning && message.tool_calls?.length && !reasoning?.text
    if (isMissed) return { ...rest, reasoning: { text: UNKNOWN_REASONING } }
    return reasoning ? { ...rest, reasoning } : rest
  })
}

/** Keeps the blocks of Anthropic's dialect that the platform takes back. */
function withKeptBlocks<Message extends PromptMessage>(
  message: Message,
  place: PromptTraits['reasoning'],
): Message {
  const { provider_options: options } = message
  const blocks = options?.anthropic?.blocks
  if (!blocks?.some(isThinking)) return message
  const keptBlocks = blocks.filter((block) => !isThinking(block) || isTakenBack(block, place))
  return { ...message, provider_options: { ...options, anthropic: { blocks: keptBlocks } } }
}

export const isThinking = ({ type }: JsonObject): boolean =>
  type === 'thinking' || type === 'redacted_thinking'

/** Anthropic refuses reasoning that it did not sign itself; platforms that only speak its dialect do not sign. */
const isTakenBack = (block: JsonObject, place: PromptTraits['reasoning']): boolean =>
  place === 'signed'
    ? isAnthropicReasoning({ signature: asString(block['signature'] ?? block['data']) })
    : place === 'unsigned'

/** Tells whether Anthropic signed it, and not a platform that only speaks its dialect. */
const isAnthropicReasoning = ({ signature }: Pick<SignedReasoning, 'signature'>): boolean =>
  ANTHROPIC_SIGNATURE.test(signature)
