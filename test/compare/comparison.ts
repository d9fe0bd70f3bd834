import type { CallRequest } from '#contract/call.ts'
import type { AllCalls } from '#contract/calls.ts'
import type { TurnStreamEvent } from '#contract/chat.ts'
import type { Client } from '../world/client.ts'
import type { Upstream } from '../world/upstream/upstream.ts'

/** Creates a comparison of these models, in a session of its own that becomes the current one. */
export async function createComparison(client: Client, models: string[]) {
  const { session } = await client.call('POST /api/chat/session/new', { body: { chatbot: 'compare' } })
  const chatbot = `compare-${session.id}`
  for (const model of models) await client.call('POST /api/compare/models', { body: { model, chatbot } })
  return { chatbot, sess_id: session.id }
}

/** Asks and waits until all answers have ended. */
export async function askAll(
  client: Client,
  body: NonNullable<CallRequest<AllCalls['POST /api/chat/create']>['body']>,
) {
  const { chat_message, chat_messages } = await client.call('POST /api/chat/create', { body })
  const { chat_id } = chat_message
  const wait = (model: string) => client.call('POST /api/chat/completions', { query: { chat_id, model } })
  const answers = await Promise.all(chat_messages.map(({ model }) => wait(model)))
  return { chat_id, answers: answers.map((ended) => ended.chat_message) }
}

/** Returns the text of each group, `role: text`. */
export async function readGroups(client: Client, chatbot: string): Promise<Record<string, string[]>> {
  const { groups } = await client.call('GET /api/compare/messages', { query: { chatbot } })
  return Object.fromEntries(
    groups.map(({ model, messages }) => [model, messages.map(({ role, text }) => `${role}: ${text}`)]),
  )
}

/** Returns the contents of the messages that an upstream model received, the latest request last. */
export const getPrompts = ({ requests }: Upstream, model: string): string[][] =>
  requests
    .map(({ body }) => body as { model: string; messages: { content: string }[] })
    .filter((body) => body.model === model)
    .map(({ messages }) => messages.map(({ content }) => content))

type Column = { text: string; end: string | null; id: string | null }

/** Reads the one stream of a turn into a result for each column; `until` says when to hang up. */
export async function readTurn(
  client: Client,
  chatId: string,
  {
    columns = {},
    until = () => false,
  }: { columns?: Record<string, Column>; until?: (columns: Record<string, Column>) => boolean } = {},
): Promise<{ columns: Record<string, Column>; done: boolean }> {
  const ids = Object.values(columns).flatMap(({ id }) => id ?? [])
  const leave = new AbortController()
  const headers: Record<string, string> = ids.length ? { 'Last-Event-ID': ids.join(',') } : {}
  const reading = { headers, signal: leave.signal }
  for await (const { id, event, data } of client.events(chatId, reading)) {
    if (event) throw new Error(`an event with a name: ${event}`)
    if (data === '[DONE]') return { columns, done: true }
    const part = JSON.parse(data) as TurnStreamEvent
    const column = (columns[part.model] ??= { text: '', end: null, id: null })
    if (id) column.id = id
    if ('delta_content' in part) {
      column.text = part.replace ? part.delta_content : column.text + part.delta_content
    } else if ('state' in part) column.end = part.state
    else if ('error' in part) column.end = part.error.code
    if (until(columns)) {
      leave.abort()
      break
    }
  }
  return { columns, done: false }
}
