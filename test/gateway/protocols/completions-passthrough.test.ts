import { expect, test } from 'vitest'
import { useWorld } from '../../world/use-world.ts'
import { useCaller, userMessages } from '../caller.ts'

const world = useWorld()
const caller = useCaller(world)

const renderEvent = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`
const createChoice = (delta: object, more: object = {}) => ({ index: 0, delta, finish_reason: null, ...more })
const head = { id: 'chatcmpl-theirs', object: 'chat.completion.chunk', created: 1, model: 'their-model' }
const logprobs = { content: [{ token: '水', logprob: -0.1, bytes: null, top_logprobs: [] }] }

/** What a stream of these events becomes. */
async function streamThrough(...events: string[]) {
  world.upstream.script('scripted', { raw: [...events, 'data: [DONE]\n\n'] })
  const options = { include_usage: true }
  return caller.stream({ model: 'scripted', messages: userMessages('?'), stream_options: options })
}

test('what a platform says of its own in a chunk comes through, under our names', async () => {
  const { chunks, text, done } = await streamThrough(
    renderEvent({
      ...head,
      system_fingerprint: 'fp_1',
      choices: [createChoice({ role: 'assistant', content: '' })],
    }),
    renderEvent({
      ...head,
      system_fingerprint: 'fp_1',
      choices: [createChoice({ content: '活' }, { logprobs })],
      usage: null,
    }),
    renderEvent({
      ...head,
      system_fingerprint: 'fp_1',
      choices: [createChoice({ content: '水' }, { logprobs })],
      usage: null,
    }),
    renderEvent({ ...head, choices: [{ ...createChoice({}), finish_reason: 'stop' }] }),
  )
  expect([text, done]).toEqual(['活水', true])
  const with_text = chunks.filter(({ choices }) => choices[0]?.delta.content)
  expect(with_text).toHaveLength(2)
  for (const chunk of with_text) {
    expect(chunk).toMatchObject({ system_fingerprint: 'fp_1', usage: null, model: 'scripted' })
    expect(chunk.choices[0]).toMatchObject({ logprobs })
  }
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
  expect(JSON.stringify(chunks)).not.toMatch(/theirs|their-model/)
})

test("the odds of an answer's tokens come with the whole of it, and with chunks that are written anew", async () => {
  const events = ['活', '水'].map((content) =>
    renderEvent({ choices: [createChoice({ content }, { logprobs })] }),
  )
  const end = renderEvent({ choices: [{ ...createChoice({}), finish_reason: 'stop' }] })
  const both = [...logprobs.content, ...logprobs.content]
  const { chunks } = await streamThrough(...events, end)
  expect(chunks.flatMap(({ choices }) => choices[0]?.logprobs?.content ?? [])).toEqual(both)

  world.upstream.script('scripted', { raw: [...events, end, 'data: [DONE]\n\n'] })
  const body = { model: 'scripted', messages: userMessages('?'), logprobs: true }
  const whole = await caller.complete(body)
  expect(whole.choices[0]).toMatchObject({ message: { content: '活水' }, logprobs: { content: both } })
  expect(world.upstream.requests.at(-1)?.body).toMatchObject({ logprobs: true })
})

test.each([
  ['names after the choices', (delta: object) => renderEvent({ choices: [createChoice(delta)], ...head })],
  ['no names', (delta: object) => renderEvent({ choices: [createChoice(delta)] })],
  [
    'lines within an event',
    (delta: object) => `data: {"id":"theirs",\ndata: "choices":[${JSON.stringify(createChoice(delta))}]}\n\n`,
  ],
  ['no null for the usage', (delta: object) => renderEvent({ ...head, choices: [createChoice(delta)] })],
])('a chunk that has %s is written anew', async (_, chunk) => {
  const { chunks, text, done } = await streamThrough(
    chunk({ content: '源' }),
    chunk({ content: '头' }),
    renderEvent({ choices: [{ ...createChoice({}), finish_reason: 'stop' }] }),
  )
  expect([text, done]).toEqual(['源头', true])
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
  expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true)
  expect(JSON.stringify(chunks)).not.toMatch(/theirs|their-model/)
})
