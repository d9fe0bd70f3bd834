import { expect, test } from 'vitest'
import type { ChatStreamEvent, TurnStreamEvent } from '#contract/chat.ts'
import { createComparison } from '../compare/comparison.ts'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()

const MODEL = 'farui-scripted'
const TEXT = '依照民法典第一条，为了保护民事主体的合法权益。'.repeat(4)

type Read = { text: string; reasoning: string; ids: string[]; parts: number }

/** Returns the text of a reader who replaces each piece of such a model by the next, whatever else the event says. */
async function read(client: Client, chatId: string, from?: string, onPart = () => {}): Promise<Read> {
  const now: Read = { text: '', reasoning: '', ids: [], parts: 0 }
  const headers: Record<string, string> = from === undefined ? {} : { 'Last-Event-ID': from }
  for await (const { id, data } of client.events(chatId, { headers })) {
    if (data === '[DONE]') return now
    const event = JSON.parse(data) as ChatStreamEvent & Partial<Pick<TurnStreamEvent, 'model'>>
    if (event.model !== undefined && event.model !== MODEL) continue
    if ('delta_reasoning' in event) now.reasoning += event.delta_reasoning
    if (!('delta_content' in event)) continue
    now.text = event.delta_content
    now.parts++
    if (id) now.ids.push(id)
    onPart()
  }
  throw new Error('the stream ended without [DONE]')
}

test('of farui each piece is the whole text so far, from wherever it is read', async () => {
  const client = await world.user()
  world.upstream.script(MODEL, { text: TEXT, chars: 6, stall: 4, cumulative: true })
  const { chat_message } = await client.call('POST /api/chat/create', {
    body: { prompt: '第一条说什么？', model: MODEL },
  })
  const { chat_id } = chat_message
  const live = await read(client, chat_id, undefined, () => world.upstream.release())
  expect(live.text).toBe(TEXT)
  expect(live.parts).toBeGreaterThan(1)
  // From the start, from the middle, and from the end.
  for (const from of [undefined, live.ids[0], live.ids.at(-1)])
    expect((await read(client, chat_id, from)).text).toBe(TEXT)
})

test('of farui a reader that comes back while it is written has the whole text, and its thoughts once', async () => {
  const client = await world.user()
  const script = { reasoning: '先想一想。', text: TEXT, chars: 6, stall: 8, cumulative: true }
  world.upstream.script(MODEL, script)
  const { chat_message } = await client.call('POST /api/chat/create', {
    body: { prompt: '问', model: MODEL },
  })
  const { chat_id } = chat_message
  const gone = new AbortController()
  const seen: { id: string; reasoning: string } = { id: '', reasoning: '' }
  await (async () => {
    for await (const { id, data } of client.events(chat_id, { signal: gone.signal })) {
      const event = JSON.parse(data) as ChatStreamEvent
      if ('delta_reasoning' in event) seen.reasoning += event.delta_reasoning
      if (!('delta_content' in event)) continue
      seen.id = id!
      gone.abort()
    }
  })().catch((error: unknown) => {
    if (!gone.signal.aborted) throw error
  })
  world.upstream.release()
  const back = await read(client, chat_id, seen.id)
  expect(back.text).toBe(TEXT)
  expect(seen.reasoning + back.reasoning).toBe('先想一想。')
})

test('beside others in a comparison too', async () => {
  const client = await world.user()
  const { chatbot } = await createComparison(client, [MODEL, 'flat'])
  world.upstream.script('flat', { text: '好' })
  world.upstream.script(MODEL, { text: TEXT, chars: 6, cumulative: true })
  const { chat_message } = await client.call('POST /api/chat/create', { body: { prompt: '问', chatbot } })
  const { text, ids } = await read(client, chat_message.chat_id)
  expect(text).toBe(TEXT)
  expect((await read(client, chat_message.chat_id, ids[0])).text).toBe(TEXT)
})
