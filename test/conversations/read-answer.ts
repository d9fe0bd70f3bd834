import type { ChatStreamEvent } from '#contract/chat.ts'
import type { Client } from '../world/client.ts'

type ReceivedAnswer = { text: string; reasoning: string; ids: string[]; events: ChatStreamEvent[] }

/** Reads a turn's answer from a position on, until it ends or after this many events. */
export async function readAnswer(
  client: Client,
  chatId: string,
  from = '',
  max = Infinity,
): Promise<ReceivedAnswer> {
  const received: ReceivedAnswer = { text: '', reasoning: '', ids: [], events: [] }
  const gone = new AbortController()
  const headers: Record<string, string> = from ? { 'Last-Event-ID': from } : {}
  try {
    for await (const { id, data, event } of client.events(chatId, { headers, signal: gone.signal })) {
      if (data === '[DONE]' || event === 'error') break
      const part = JSON.parse(data) as ChatStreamEvent
      received.events.push(part)
      if (id) received.ids.push(id)
      if ('delta_content' in part)
        received.text = part.replace ? part.delta_content : received.text + part.delta_content
      if ('delta_reasoning' in part) received.reasoning += part.delta_reasoning
      if (received.events.length >= max) gone.abort()
    }
  } catch (error) {
    if (!gone.signal.aborted) throw error
  }
  return received
}
