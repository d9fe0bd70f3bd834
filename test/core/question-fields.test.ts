import { expect, test } from 'vitest'
import { createId } from '#server/core/ids.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()
type Refusal = { code: string; errors?: Record<string, string> }

test('a question is read by the fields of its channel, in whichever form that is named', async () => {
  const client = await world.user()
  const ask = async (fields: object) => {
    const body = JSON.stringify({ prompt: '问', ...fields })
    const response = await client.fetch('/api/chat/create', { method: 'POST', body })
    const { code, errors } = (await response.json()) as Refusal
    return [code, errors] as const
  }
  const models = 'nobody,noone'
  const tooLong = 'x'.repeat(21)
  // Only a comparison has several models.
  expect(await ask({ models })).toEqual(['bad_request', undefined])
  expect(await ask({ models, chatbot: '' })).toEqual(['bad_request', undefined])
  expect(await ask({ models, chatbot: `zhiku-${createId()}` })).toEqual(['bad_request', undefined])
  for (const chatbot of ['compare', { id: 'compare' }, ['compare']])
    expect(await ask({ models, chatbot })).toEqual(['model_not_found', undefined])
  expect(await ask({ chatbot: 'compare', continue: 'on' })).toEqual(['not_continuable', undefined])
  // A language is for the channel of translations, and unknown to the others.
  expect(await ask({ target_lang: tooLong, chatbot: 'fanyi' })).toEqual([
    'invalid_input',
    { target_lang: '不能超过 20 个字符' },
  ])
  expect(await ask({ target_lang: tooLong, models })).toEqual(['bad_request', undefined])
  const [code, errors] = await ask({ chatbot: 'nobody' })
  expect([code, Object.keys(errors ?? {})]).toEqual(['invalid_input', ['chatbot']])
})
