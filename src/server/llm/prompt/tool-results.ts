import { listMedia, joinTexts } from '../chat-request.ts'
import type { PromptMessage } from '../chat-request.ts'

type AssistantMessage = Extract<PromptMessage, { role: 'assistant' }>
type ToolMessage = Extract<PromptMessage, { role: 'tool' }>

const NO_RESULT = 'No result: the call was interrupted before its tool returned anything.'

/**
 * Puts results directly after their calls and in their order, as every platform wants them (Gemini tells results of one tool
 * apart by nothing else). Other messages in between follow, a call without a result gets one that says so, and a result without a
 * call becomes words of the user.
 */
export function orderToolResults(messages: PromptMessage[]): PromptMessage[] {
  if (isOrdered(messages)) return messages
  const results = groupResults(messages)
  return messages.flatMap((message, index): PromptMessage[] => {
    if (message.role === 'tool') return results.claimed.has(message) ? [] : [toWords(message)]
    return message.role === 'assistant' ? [message, ...(results.byMessage.get(index) ?? [])] : [message]
  })
}

function isOrdered(messages: PromptMessage[]): boolean {
  let open: string[] = []
  for (const message of messages) {
    if (message.role === 'tool') {
      if (open.shift() !== message.tool_call_id) return false
    } else if (open.length) return false
    else if (message.role === 'assistant') open = listCallIds(message)
  }
  return open.length === 0
}

const listCallIds = ({ tool_calls = [] }: AssistantMessage): string[] => tool_calls.map(({ id }) => id)

/** The results of each message's calls, in the order of the calls; an id that was used again belongs to its last call. */
function groupResults(messages: PromptMessage[]) {
  const claimed = new Set<PromptMessage>()
  const resultsByCaller = new Map<number, Map<string, ToolMessage[]>>()
  const callers = new Map<string, number>()
  for (const [index, message] of messages.entries()) {
    if (message.role === 'assistant') for (const id of listCallIds(message)) callers.set(id, index)
    if (message.role !== 'tool') continue
    const { tool_call_id: id } = message
    const caller = callers.get(id)
    if (caller === undefined) continue
    const ofCaller = resultsByCaller.get(caller) ?? new Map<string, ToolMessage[]>()
    resultsByCaller.set(caller, ofCaller.set(id, [...(ofCaller.get(id) ?? []), message]))
  }
  const byMessage = new Map<number, PromptMessage[]>()
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue
    const results = listCallIds(message).map((id): ToolMessage => {
      const result = resultsByCaller.get(index)?.get(id)?.shift()
      if (result) claimed.add(result)
      return result ?? { role: 'tool', tool_call_id: id, content: NO_RESULT }
    })
    byMessage.set(index, results)
  }
  return { claimed, byMessage }
}

function toWords({ content }: ToolMessage): PromptMessage {
  const text = `<tool_result>\n${joinTexts(content)}\n</tool_result>`
  return { role: 'user', content: [{ type: 'text', text }, ...listMedia(content)] }
}
