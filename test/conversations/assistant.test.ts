import { expect, test } from 'vitest'
import { AppError } from '#server/core/app-error.ts'
import { DEFAULT_PREFERENCE, getContentText } from '#server/llm/llm.ts'
import type { Assistant } from '#server/conversations/conversations.ts'
import { expectCallError, getMessageLines } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'

// A second assistant, defined here alone, through the real routes and the real pipeline.

const LIBRARIAN = 'block-library'

/** Serves accounts only, begins with a model of its own, has a system text of its own and looks something up. */
const librarian: Assistant = {
  async prepareTurn({ visitor }) {
    if (visitor.guest) throw new AppError('unauthorized')
    return {
      getInitialModel: () => 'scripted-paid',
      preference: DEFAULT_PREFERENCE,
      preparePrompt: ({ settings }) => ({
        system: ['你是图书管理员。', settings.system_prompt].filter(Boolean).join('\n'),
        tools: ['catalogue'],
        preparation: {
          reserved_tokens: 100,
          async buildMessages(messages, { saveNote }) {
            const source = { n: 1, title: '观书有感', url: 'https://x.test/1', site: 'x', published_at: null }
            await saveNote({ search: { state: 'found', sources: [source] } })
            const last = messages.at(-1)!
            return [
              ...messages.slice(0, -1),
              { role: 'user', content: `馆藏：观书有感\n${getContentText(last.content)}` },
            ]
          },
        },
      }),
    }
  },
}

const world = useOwnWorld({ assistants: { block: librarian, fanyi: undefined } })

const listMessages = async (client: Client, sessId: string) =>
  (await client.call('GET /api/chat/messages', { query: { sess_id: sessId } })).messages

const getLastPrompt = () => (world.upstream.requests.at(-1)!.body as { messages: unknown[] }).messages

test('answers with its own model, system text and preparation', async () => {
  const client = await world.user()
  world.upstream.script('scripted-paid', { text: '朱熹。' })
  const { sess_id, end } = await client.ask('谁写的？', { chatbot: LIBRARIAN })
  expect(end).toBe('[DONE]')
  expect(getLastPrompt()).toEqual([
    { role: 'system', content: '你是图书管理员。' },
    { role: 'user', content: '馆藏：观书有感\n谁写的？' },
  ])
  const [question, answer] = await listMessages(client, sess_id)
  expect(question).toMatchObject({ text: '谁写的？', tools: ['catalogue'] })
  expect(answer).toMatchObject({
    text: '朱熹。',
    model: 'scripted-paid',
    search: { state: 'found', sources: [{ title: '观书有感' }] },
  })
})

test('has conversations of its own, with all that every conversation has', async () => {
  const client = await world.user()
  const mine = await client.ask('你好')
  const { sess_id, chat_id } = await client.ask('在馆吗', { chatbot: LIBRARIAN })
  expect(sess_id).not.toBe(mine.sess_id)
  const { items } = await client.call('GET /api/chat/sessions', { query: { chatbot: LIBRARIAN } })
  expect(items.map(({ id }) => id)).toEqual([sess_id])
  await client.ask('', { chatbot: LIBRARIAN, sess_id, chat_id, regen: true })
  expect((await listMessages(client, sess_id)).at(-1)!.versions).toHaveLength(2)
  const { session } = await client.call('POST /api/chat/session/fork', { body: { sess_id } })
  expect(session).toMatchObject({ chatbot: LIBRARIAN })
  const { session: dati } = await client.call('POST /api/chat/session/fork', {
    body: { sess_id, chatbot: 'dati' },
  })
  expect(await getMessageLines(client, dati.id)).toEqual(await getMessageLines(client, sess_id))
})

test('a call that names a chatbot and a conversation with another one is told that there is none, and changes nothing', async () => {
  const client = await world.user()
  const [mine, other] = [await client.ask('你好'), await client.ask('在馆吗', { chatbot: LIBRARIAN })]
  const before = await Promise.all([mine, other].map(({ sess_id }) => getMessageLines(client, sess_id)))
  for (const [chatbot, { sess_id, chat_id }] of [
    [LIBRARIAN, mine],
    ['dati', other],
  ] as const) {
    const ref = { chatbot, sess_id }
    for (const call of [
      () => client.call('POST /api/chat/create', { body: { ...ref, prompt: '问' } }),
      () => client.call('POST /api/chat/create', { body: { chatbot, chat_id, prompt: '问' } }),
      () => client.call('POST /api/chat/create', { body: { ...ref, regen: true } }),
      () => client.call('POST /api/chat/prompts/append', { body: ref }),
      () => client.call('GET /api/chat/messages', { query: ref }),
      () => client.call('DELETE /api/chat/messages', { query: ref }),
      () => client.call('GET /api/chat/session/settings', { query: ref }),
      () => client.call('POST /api/chat/session/settings', { body: { ...ref, system_prompt: '改' } }),
      () => client.call('GET /api/chat/session/link', { query: ref }),
    ])
      expect((await expectCallError(call() as Promise<unknown>)).status).toBe(404)
  }
  const after = await Promise.all([mine, other].map(({ sess_id }) => getMessageLines(client, sess_id)))
  expect(after).toEqual(before)
  const { settings } = await client.call('GET /api/chat/session/settings', {
    query: { sess_id: other.sess_id },
  })
  expect(settings.system_prompt).toBe('')
})

test('decides who may ask; nothing is stored for who may not', async () => {
  const guest = world.visitor()
  const refused = await expectCallError(guest.ask('借书', { chatbot: LIBRARIAN }))
  expect(refused.body.code).toBe('unauthorized')
  const { items } = await guest.call('GET /api/chat/sessions', { query: { chatbot: LIBRARIAN } })
  expect(items).toEqual([])
})

test('a channel that nobody serves is not available, for questions and forks', async () => {
  const client = await world.user()
  const { sess_id } = await client.ask('你好')
  const refused = await Promise.all([
    expectCallError(client.ask('translate', { chatbot: 'fanyi' })),
    expectCallError(client.ask('', { chatbot: 'fanyi' })),
    expectCallError(client.call('POST /api/chat/session/fork', { body: { sess_id, chatbot: 'fanyi' } })),
  ])
  for (const { body } of refused) expect(body.code).toBe('channel_unavailable')
})
