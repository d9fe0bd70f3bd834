import { expect, test, vi } from 'vitest'
import { createLocalQuestion } from '#web/conversations/conversations.ts'
import { clearText, loadTranslation, setSource, useTextTranslation } from './textStore.ts'

const { key: _, local: __, ...stored } = { ...createLocalQuestion('旧的原文', 'm'), chat_id: 't1' }
const messages = [
  { ...stored, id: 'q1' },
  { ...stored, id: 'a1', role: 'ai', text: 'The old text' },
]

test('an earlier translation that comes late does not replace what was typed since', async () => {
  let answer = () => {}
  vi.stubGlobal(
    'fetch',
    () =>
      new Promise((resolve) => {
        answer = () => resolve(new Response(JSON.stringify({ messages })))
      }),
  )
  const loading = loadTranslation('s1')
  clearText()
  setSource('新写的')
  answer()
  await loading
  expect(useTextTranslation.getState()).toMatchObject({ source: '新写的', result: '', sess_id: null })
})
