import { expect, test } from 'vitest'
import { MAX_FEEDBACK_CHARS } from '#contract/chat.ts'
import { expectCallError, type Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()

async function askOnce(client: Client) {
  world.upstream.script('scripted', { text: '答。' })
  const { sess_id } = await client.ask('问？')
  const read = async () => (await client.call('GET /api/chat/messages', { query: { sess_id } })).messages
  const [question, answer] = await read()
  return {
    sess_id,
    question: question!,
    answer: answer!,
    readFeedback: async () => (await read())[1]!.feedback,
  }
}

test('a reader rates an answer, with reasons and words, thinks better of it, and takes it back', async () => {
  const client = await world.user()
  const { answer, readFeedback } = await askOnce(client)
  expect(answer.feedback).toBeNull()
  const params = { id: answer.id }
  await client.call('PUT /api/chat/message/{id}/feedback', {
    params,
    body: { rating: 'down', reasons: ['inaccurate', 'outdated'], text: ' 年份不对 ' },
  })
  const down = { rating: 'down', reasons: ['inaccurate', 'outdated'], text: '年份不对' }
  expect(await readFeedback()).toEqual(down)
  const { chat_message } = await client.call('PUT /api/chat/message/{id}/feedback', {
    params,
    body: { rating: 'up' },
  })
  expect(chat_message.feedback).toEqual({ rating: 'up', reasons: [], text: '' })
  expect(await readFeedback()).toEqual(chat_message.feedback)
  await client.call('DELETE /api/chat/message/{id}/feedback', { params })
  expect(await readFeedback()).toBeNull()
})

test('a guest may rate; a question, an unknown reason and too many words may not be', async () => {
  const guest = world.visitor()
  const { question, answer, readFeedback } = await askOnce(guest)
  const rate = (id: string, body: object) =>
    guest.call('PUT /api/chat/message/{id}/feedback', { params: { id }, body: { rating: 'up', ...body } })
  expect((await expectCallError(rate(question.id, {}))).status).toBe(404)
  expect((await expectCallError(rate(answer.id, { reasons: ['boring'] }))).status).toBe(422)
  expect((await expectCallError(rate(answer.id, { text: '长'.repeat(MAX_FEEDBACK_CHARS + 1) }))).status).toBe(
    422,
  )
  expect(await readFeedback()).toBeNull()
  await rate(answer.id, { text: '长'.repeat(MAX_FEEDBACK_CHARS) })
  expect((await readFeedback())?.text).toHaveLength(MAX_FEEDBACK_CHARS)
})

test('what was said of an answer stays with it: a copy of the conversation and a share have none', async () => {
  const client = await world.user()
  const { sess_id, answer } = await askOnce(client)
  await client.call('PUT /api/chat/message/{id}/feedback', {
    params: { id: answer.id },
    body: { rating: 'down', text: '只给自己看' },
  })
  const { session } = await client.call('POST /api/chat/session/fork', { body: { sess_id } })
  const copy = await client.call('GET /api/chat/messages', { query: { sess_id: session.id } })
  expect(copy.messages.map(({ feedback }) => feedback)).toEqual([null, null])
  const { share } = await client.call('GET /api/chat/session/link', { query: { sess_id } })
  const shared = await world.visitor().call('GET /api/session/{id}/messages', { params: { id: share.id } })
  expect(JSON.stringify(shared)).not.toContain('只给自己看')
})
