import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld } from '../world.ts'
import type { World } from '../world.ts'
import { openCaller, question } from './caller.ts'
import type { Caller } from './caller.ts'

let world: World
let caller: Caller
beforeAll(async () => {
  world = await openWorld()
  caller = await openCaller(world)
})
afterAll(() => world.close())

const event = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`
const choice = (delta: object, more: object = {}) => ({ index: 0, delta, finish_reason: null, ...more })
const head = { id: 'chatcmpl-theirs', object: 'chat.completion.chunk', created: 1, model: 'their-model' }
const logprobs = { content: [{ token: '水', logprob: -0.1, bytes: null, top_logprobs: [] }] }

/** What a stream of these events becomes. */
async function through(...events: string[]) {
  world.upstream.script('scripted', { raw: [...events, 'data: [DONE]\n\n'] })
  const options = { include_usage: true }
  return caller.stream({ model: 'scripted', messages: question('?'), stream_options: options })
}

test('what a platform says of its own in a chunk comes through, under our names', async () => {
  const { chunks, text, done } = await through(
    event({ ...head, system_fingerprint: 'fp_1', choices: [choice({ role: 'assistant', content: '' })] }),
    event({
      ...head,
      system_fingerprint: 'fp_1',
      choices: [choice({ content: '活' }, { logprobs })],
      usage: null,
    }),
    event({
      ...head,
      system_fingerprint: 'fp_1',
      choices: [choice({ content: '水' }, { logprobs })],
      usage: null,
    }),
    event({ ...head, choices: [{ ...choice({}), finish_reason: 'stop' }] }),
  )
  expect([text, done]).toEqual(['活水', true])
  const said = chunks.filter(({ choices }) => choices[0]?.delta.content)
  expect(said).toHaveLength(2)
  for (const chunk of said) {
    expect(chunk).toMatchObject({ system_fingerprint: 'fp_1', usage: null, model: 'scripted' })
    expect(chunk.choices[0]).toMatchObject({ logprobs })
  }
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
  expect(JSON.stringify(chunks)).not.toMatch(/theirs|their-model/)
})

test("the odds of an answer's tokens come with the whole of it, and with chunks that are written anew", async () => {
  const events = ['活', '水'].map((content) => event({ choices: [choice({ content }, { logprobs })] }))
  const end = event({ choices: [{ ...choice({}), finish_reason: 'stop' }] })
  const both = [...logprobs.content, ...logprobs.content]
  const { chunks } = await through(...events, end)
  expect(chunks.flatMap(({ choices }) => choices[0]?.logprobs?.content ?? [])).toEqual(both)

  world.upstream.script('scripted', { raw: [...events, end, 'data: [DONE]\n\n'] })
  const body = { model: 'scripted', messages: question('?'), logprobs: true }
  const whole = await (await caller.post(body)).json()
  expect(whole.choices[0]).toMatchObject({ message: { content: '活水' }, logprobs: { content: both } })
  expect(world.upstream.requests.at(-1)?.body).toMatchObject({ logprobs: true })
})

test.each([
  ['names after the choices', (delta: object) => event({ choices: [choice(delta)], ...head })],
  ['no names', (delta: object) => event({ choices: [choice(delta)] })],
  [
    'lines within an event',
    (delta: object) => `data: {"id":"theirs",\ndata: "choices":[${JSON.stringify(choice(delta))}]}\n\n`,
  ],
  ['no null for the usage', (delta: object) => event({ ...head, choices: [choice(delta)] })],
])('a chunk that has %s is written anew', async (_, chunk) => {
  const { chunks, text, done } = await through(
    chunk({ content: '源' }),
    chunk({ content: '头' }),
    event({ choices: [{ ...choice({}), finish_reason: 'stop' }] }),
  )
  expect([text, done]).toEqual(['源头', true])
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
  expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true)
  expect(JSON.stringify(chunks)).not.toMatch(/theirs|their-model/)
})
