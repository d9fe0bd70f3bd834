import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()
let client: Client
beforeAll(async () => {
  client = await world.user()
})

test.each([
  ['你好，世界', '', 'Hello'],
  ['Hello world', '', '你好'],
  ['Hello world', 'CN', '你好'],
  ['你好', 'English', 'Hello'],
])(
  'a text is translated where its language is called as people call it, or not at all: %s → %s',
  async (prompt, targetLang, text) => {
    world.upstream.script('scripted', { text })
    const form = { prompt, model: 'scripted', target_lang: targetLang, block: '', biz_type: '', sess_id: '' }
    const response = await client.fetch('/api/translate', { method: 'POST', body: new URLSearchParams(form) })
    const { chat_id } = (await response.json()) as { chat_id: string }
    const query = { chat_id, chatbot: 'fanyi' }
    await client.call('POST /api/chat/completions', { query })
    const [request] = world.upstream.requests.slice(-1)
    expect(JSON.stringify(request)).toContain(text === 'Hello' ? '英语' : '简体中文')
  },
)

test('a document that is named without a text is what is to be translated', async () => {
  const block = '00000000-0000-7000-8000-000000000000'
  const body = new URLSearchParams({ block, prompt: '', biz_type: '', model: 'scripted', target_lang: 'en' })
  const response = await client.fetch('/api/translate', { method: 'POST', body })
  expect(await response.json()).toMatchObject({ code: 'not_found' })
})
