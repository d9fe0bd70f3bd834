import type { JsonObject } from '#server/core/json.ts'
import type { PromptMessage } from '../chat-request.ts'
import { toHashedName } from './fitting-names.ts'
import type { FittingNames } from './fitting-names.ts'
import { mapBlocks } from './native-blocks.ts'

/**
 * Fits the ids of tool calls to the platform: the same for a call and its result, and the same in every later prompt. An id that
 * is used again is numbered, since some platforms refuse it. Results must follow their calls.
 */
export function fitCallIds(messages: PromptMessage[], fitting: FittingNames): PromptMessage[] {
  const pattern = new RegExp(fitting.pattern)
  if (!needsFitting(messages, pattern)) return messages
  const useCounts = new Map<string, number>()
  /** The ids of the calls whose results may follow. */
  let open = new Map<string, string[]>()

  const fit = (id: string): string => {
    const nth = (useCounts.get(id) ?? 0) + 1
    useCounts.set(id, nth)
    if (nth === 1 && pattern.test(id)) return id
    return toHashedName(nth === 1 ? id : `${id} ${nth}`, fitting)
  }
  return messages.map((message): PromptMessage => {
    if (message.role === 'assistant' && message.tool_calls) {
      const toolCalls = message.tool_calls.map((call) => ({ ...call, id: fit(call.id) }))
      open = groupById(message.tool_calls.map(({ id }, index) => [id, toolCalls[index]!.id]))
      return mapBlocks({ ...message, tool_calls: toolCalls }, createIdMapper(open, 'tool_use', 'id'))
    }
    if (message.role !== 'tool') return message
    const { tool_call_id: id } = message
    const mapped = mapBlocks(message, createIdMapper(open, 'tool_result', 'tool_use_id'))
    const fitted = open.get(id)
    const toolCallId = (fitted && fitted.length > 1 ? fitted.shift() : fitted?.[0]) ?? fit(id)
    return { ...mapped, tool_call_id: toolCallId }
  })
}

function needsFitting(messages: PromptMessage[], pattern: RegExp): boolean {
  const seenIds = new Set<string>()
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const { id } of message.tool_calls ?? []) {
      if (seenIds.has(id) || !pattern.test(id)) return true
      seenIds.add(id)
    }
  }
  return false
}

function groupById(pairs: [id: string, fitted: string][]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const [id, fitted] of pairs) groups.set(id, [...(groups.get(id) ?? []), fitted])
  return groups
}

/** Maps the blocks of a type in turn, where several have one id. */
function createIdMapper(ids: Map<string, string[]>, type: string, field: string) {
  const nextPositions = new Map<string, number>()
  return (block: JsonObject): JsonObject => {
    const id = block[field]
    if (block['type'] !== type || typeof id !== 'string') return block
    const nth = nextPositions.get(id) ?? 0
    nextPositions.set(id, nth + 1)
    return { ...block, [field]: ids.get(id)?.[nth] ?? ids.get(id)?.[0] ?? id }
  }
}
