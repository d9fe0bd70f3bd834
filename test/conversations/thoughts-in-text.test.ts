import { expect, test } from 'vitest'
import { useWorld } from '../world/use-world.ts'
import { readAnswer } from './read-answer.ts'

const world = useWorld()

test.each([
  ['with both tags', '<think>\n先想一想。\n</think>\n\n答案是 42。', 1],
  ['without the opening one, which takes back what was shown', '先想一想。\n</think>\n\n答案是 42。', 7],
])('thoughts in the text of an answer are its reasoning: %s', async (_, text, chars) => {
  const client = await world.user()
  world.upstream.script('scripted', { text, chars })
  const { session } = await client.call('POST /api/chat/session/new', { body: { chatbot: 'dati' } })
  const { chat_message } = await client.call('POST /api/chat/create', {
    body: { prompt: '六乘七', chatbot: 'dati', sess_id: session.id },
  })
  const read = await readAnswer(client, chat_message.chat_id)
  expect([read.text, read.reasoning.trim()]).toEqual(['答案是 42。', '先想一想。'])
  const { messages } = await client.call('GET /api/chat/messages', { query: { sess_id: session.id } })
  expect(messages.at(-1)).toMatchObject({ text: '答案是 42。', status: 'done' })
  expect(messages.at(-1)!.reasoning?.trim()).toBe('先想一想。')

  await client.ask('再说一遍', { sess_id: session.id })
  const { messages: prompt } = world.upstream.requests.at(-1)!.body as { messages: { content: string }[] }
  expect(JSON.stringify(prompt)).not.toContain('先想一想')
})
