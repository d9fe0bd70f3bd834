import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { SharedMessage } from '#contract/shares.ts'
import { chatText } from '#web/text/chat.ts'
import { sharesText } from '#web/text/shares.ts'
import { SharedMessages } from './SharedMessages.tsx'

const message: SharedMessage = {
  nth: 0,
  role: 'human',
  text: '源头在哪里？',
  content_type: 'text',
  chat_model: '',
  agent: null,
  search: null,
  created_at: '2026-07-24T08:00:00.000Z',
}

test('each answer of a shared comparison tells its model', async () => {
  const models = ['fast', 'slow']
  const answers = models.map((model, n) => ({
    ...message,
    nth: n + 1,
    role: 'ai' as const,
    text: `${model} 说在山里。`,
    chat_model: model,
  }))
  await render(<SharedMessages name="问者" messages={[message, ...answers]} />)
  const shown = page.getByRole('article', { name: chatText.answer })
  for (const [n, model] of models.entries()) {
    await expect.element(shown.nth(n)).toMatchTextContent(new RegExp(`${model} 说在山里。`))
    await expect.element(shown.nth(n)).toMatchTextContent(new RegExp(`${sharesText.ai} · ${model}`))
  }
})
