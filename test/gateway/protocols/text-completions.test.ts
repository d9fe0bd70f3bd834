import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { useWorld } from '../../world/use-world.ts'
import { getBill, readError, useCaller } from '../caller.ts'

// The legacy text completions, where llama-index and others ask by default.

const world = useWorld()
const caller = useCaller(world)

const createClient = () =>
  new OpenAI({ apiKey: caller.key, baseURL: `${world.url}/api/v1`, maxRetries: 0 }).completions
const asked = { model: 'scripted-paid', prompt: '问渠那得清如许？' }

test('a prompt is completed, and paid', async () => {
  world.upstream.script('scripted-paid', {
    text: '为有源头活水来。',
    reasoning: '想',
    finish: 'length',
    usage: { prompt_tokens: 5, completion_tokens: 6 },
  })
  const completion = await createClient().create({ ...asked, max_tokens: 9, stop: '！', temperature: 0.1 })
  expect(completion).toMatchObject({
    id: expect.stringMatching(/^cmpl-/),
    object: 'text_completion',
    model: 'scripted-paid',
    choices: [{ text: '为有源头活水来。', index: 0, logprobs: null, finish_reason: 'length' }],
    usage: { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 },
  })
  expect(Object.keys(completion)).toEqual(['id', 'object', 'created', 'model', 'choices', 'usage'])
  expect(world.upstream.requests.at(-1)!.body).toMatchObject({
    messages: [{ role: 'user', content: asked.prompt }],
    max_tokens: 9,
    stop: ['！'],
    temperature: 0.1,
  })
  expect(await getBill(world, completion.id.replace('cmpl-', ''))).toMatchObject({ amount: '2200' })
})

test('a stream brings text, its reason, and its usage where that is asked for', async () => {
  world.upstream.script('scripted-paid', { text: '为有源头活水来。', reasoning: '想', chars: 3 })
  const streamOptions = { include_usage: true }
  const stream = await createClient().create({
    ...asked,
    prompt: ['？'],
    stream: true,
    stream_options: streamOptions,
  })
  const chunks: OpenAI.Completion[] = []
  for await (const chunk of stream) chunks.push(chunk)
  expect(chunks.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe('为有源头活水来。')
  expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop')
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 5 } })
})

test.each([
  ['prompt', { prompt: ['一', '二'] }, '一段'],
  ['prompt', { prompt: [1, 2, 3] }, '一段'],
  ['echo', { echo: true }, '/chat/completions'],
  ['suffix', { suffix: '。' }, '/chat/completions'],
  ['best_of', { best_of: 3 }, '/chat/completions'],
  ['logprobs', { logprobs: 2 }, '/chat/completions'],
])('%s that no chat model can do is a 400 that says so: %j', async (param, fields, reason) => {
  const error = await readError(await caller.post({ ...asked, ...fields }, { path: '/v1/completions' }))
  expect(error).toMatchObject({ status: 400, param, message: expect.stringContaining(reason) })
})
