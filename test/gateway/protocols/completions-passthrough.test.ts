import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { useWorld } from '../../world/use-world.ts'
import { createCaller, readError, useCaller, userMessages } from '../caller.ts'

const world = useWorld()
const caller = useCaller(world)

const renderEvent = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`
const createChoice = (delta: object, more: object = {}) => ({ index: 0, delta, finish_reason: null, ...more })
const head = { id: 'chatcmpl-theirs', object: 'chat.completion.chunk', created: 1, model: 'their-model' }
const end = (index: number, finishReason = 'stop') => ({
  ...createChoice({}),
  index,
  finish_reason: finishReason,
})
const say = (index: number, content: string) => ({ ...createChoice({ content }), index })
const logprobs = { content: [{ token: '水', logprob: -0.1, bytes: null, top_logprobs: [] }] }

/** Streams these events through the gateway. */
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
  const withText = chunks.filter(({ choices }) => choices[0]?.delta.content)
  expect(withText).toHaveLength(2)
  for (const chunk of withText) {
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
  const last = renderEvent({ choices: [end(0)] })
  const both = [...logprobs.content, ...logprobs.content]
  const { chunks } = await streamThrough(...events, last)
  expect(chunks.flatMap(({ choices }) => choices[0]?.logprobs?.content ?? [])).toEqual(both)

  world.upstream.script('scripted', { raw: [...events, last, 'data: [DONE]\n\n'] })
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

describe('several answers', () => {
  const asked = { model: 'scripted', messages: userMessages('?'), n: 2, max_tokens: 9 }
  const raw = [
    renderEvent({ choices: [say(0, '一'), say(1, '甲')] }),
    renderEvent({ choices: [say(1, '乙')] }),
    renderEvent({ choices: [end(0)] }),
    renderEvent({ choices: [say(1, '丙')] }),
    renderEvent({ choices: [end(1, 'length')] }),
    renderEvent({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 8 } }),
    'data: [DONE]\n\n',
  ]

  test('come whole, each with its reason', async () => {
    world.upstream.script('scripted', { raw })
    const { choices, usage } = await caller.complete(asked)
    expect(choices).toMatchObject([
      { index: 0, message: { content: '一' }, finish_reason: 'stop' },
      { index: 1, message: { content: '甲乙丙' }, finish_reason: 'length' },
    ])
    expect(usage.completion_tokens).toBe(8)
    expect(world.upstream.requests.at(-1)?.body).toMatchObject({ n: 2, max_tokens: 9 })
  })

  test('come as a stream, each under its index', async () => {
    world.upstream.script('scripted', { raw })
    const { chunks, done } = await caller.stream(asked)
    const texts = ['', '']
    const reasons: (string | null)[] = [null, null]
    for (const { index, delta, finish_reason } of chunks.flatMap(({ choices }) => choices)) {
      texts[index] += delta.content ?? ''
      reasons[index] ??= finish_reason
    }
    expect({ texts, reasons, done }).toEqual({
      texts: ['一', '甲乙丙'],
      reasons: ['stop', 'length'],
      done: true,
    })
  })

  test('come again under the same Idempotency-Key, whole and as a stream', async () => {
    world.upstream.script('scripted', { raw })
    const headers = { 'idempotency-key': 'two-answers' }
    const first = await caller.complete(asked, { headers })
    expect((await caller.complete(asked, { headers })).choices).toEqual(first.choices)
    const streamed = { ...asked, stream: true }
    const other = { headers: { 'idempotency-key': 'two-streams' } }
    await (await caller.post(streamed, other)).text()
    const again = await (await caller.post(streamed, other)).text()
    expect(again).toContain('甲乙丙')
    expect(again).toContain('"index":1,"delta":{},"logprobs":null,"finish_reason":"length"')
  })

  test('that were cut before the last one ended are no answer', async () => {
    world.upstream.script('scripted', { raw: raw.slice(0, 4) })
    expect((await caller.post(asked)).status).toBe(503)
  })

  test('are held at their full length each', async () => {
    const paid = await createCaller(world, { credit_limit: 1 })
    // 8,000 tokens at 200 coins a million are 1.6 coins: several answers share the key's remaining coins.
    world.upstream.script('choosy', { raw })
    await paid.complete({ ...asked, model: 'choosy', max_tokens: 8000 })
    const { max_tokens } = world.upstream.requests.at(-1)!.body as { max_tokens: number }
    expect(max_tokens).toBeGreaterThan(2000)
    expect(max_tokens).toBeLessThanOrEqual(2500)
  })

  test('that nobody asked for are left out, and are not paid', async () => {
    world.upstream.script('scripted-paid', { raw: raw.filter((chunk) => !chunk.includes('usage')) })
    const { choices, usage } = await caller.complete({ ...asked, model: 'scripted-paid', n: 1 })
    expect(choices).toHaveLength(1)
    expect(usage.completion_tokens).toBe(1)
  })

  test('of a model that gives only one are a 400 that names one that gives several', async () => {
    const error = await readError(await caller.post({ ...asked, model: 'flat' }))
    expect(error).toMatchObject({ status: 400, code: 'content_unsupported', param: 'model' })
    expect(error.message).toContain('choosy')
  })

  test('are given by text completions too', async () => {
    world.upstream.script('scripted', { raw })
    const response = await caller.post({ model: 'scripted', prompt: '?', n: 2 }, { path: '/v1/completions' })
    expect(await response.json()).toMatchObject({
      choices: [
        { index: 0, text: '一', finish_reason: 'stop' },
        { index: 1, text: '甲乙丙', finish_reason: 'length' },
      ],
    })
  })
})

test('what a platform tells of the call, cites and counts stands in the whole answer', async () => {
  const annotations = [{ type: 'url_citation', url_citation: { url: 'https://example.com', title: '源' } }]
  const tier = { system_fingerprint: 'fp_2', service_tier: 'default' }
  const raw = [
    renderEvent({ ...head, ...tier, choices: [createChoice({ content: '活水' })] }),
    renderEvent({ ...head, ...tier, choices: [createChoice({ annotations })] }),
    renderEvent({ ...head, ...tier, choices: [end(0)] }),
    renderEvent({
      choices: [],
      usage: {
        prompt_tokens: 30,
        completion_tokens: 5,
        prompt_tokens_details: { audio_tokens: 20, image_tokens: 12, cached_tokens: 8 },
        completion_tokens_details: { reasoning_tokens: 2, audio_tokens: 1 },
      },
    }),
    'data: [DONE]\n\n',
  ]
  world.upstream.script('scripted', { raw })
  const body = { model: 'scripted', messages: userMessages('?') }
  expect(await caller.complete(body)).toMatchObject({
    ...tier,
    choices: [{ message: { content: '活水', annotations } }],
    usage: {
      // The platform reported two of the tokens as sound and as a picture: the parts add up to 30.
      prompt_tokens_details: { text_tokens: 0, audio_tokens: 20, image_tokens: 10, cached_tokens: 8 },
      completion_tokens_details: { text_tokens: 2, audio_tokens: 1, image_tokens: 0, reasoning_tokens: 2 },
    },
  })
  const { chunks } = await caller.stream(body)
  expect(chunks.flatMap(({ choices }) => choices[0]?.delta ?? [])).toContainEqual({ annotations })
})

test('the pages that a platform cites stand in a response, whole and streamed', async () => {
  const page = { url: 'https://example.com', title: '源', start_index: 0, end_index: 2 }
  const raw = [
    renderEvent({ choices: [createChoice({ content: '活水' })] }),
    renderEvent({
      choices: [
        createChoice({ annotations: [{ type: 'url_citation', url_citation: page }, { type: 'other' }] }),
      ],
    }),
    renderEvent({ choices: [end(0)] }),
    'data: [DONE]\n\n',
  ]
  world.upstream.script('scripted', { raw })
  const client = new OpenAI({ apiKey: caller.key, baseURL: `${world.url}/api/v1`, maxRetries: 0 })
  const asked = { model: 'scripted', input: '?' }
  const cited = { type: 'output_text', text: '活水', annotations: [{ type: 'url_citation', ...page }] }
  expect((await client.responses.create(asked)).output).toMatchObject([{ content: [cited] }])
  const added: object[] = []
  const stream = client.responses.stream(asked)
  stream.on('event', (event) => {
    if (event.type === 'response.output_text.annotation.added') added.push(event)
  })
  expect((await stream.finalResponse()).output).toMatchObject([{ content: [cited] }])
  expect(added).toMatchObject([{ content_index: 0, annotation_index: 0, annotation: cited.annotations[0] }])
})

test("the odds of a response's tokens come where they are asked for, in the words of that API", async () => {
  const raw = [
    renderEvent({ choices: [createChoice({ content: '活' }, { logprobs })] }),
    renderEvent({ choices: [createChoice({ content: '水' }, { logprobs })] }),
    renderEvent({ choices: [end(0)] }),
    'data: [DONE]\n\n',
  ]
  world.upstream.script('scripted', { raw })
  const body = {
    model: 'scripted',
    input: '?',
    include: ['message.output_text.logprobs'],
    top_logprobs: 3,
    prompt_cache_key: 'k',
    safety_identifier: 's',
  }
  const told = { token: '水', logprob: -0.1, bytes: [], top_logprobs: [] }
  const whole = await caller.post(body, { path: '/v1/responses' })
  expect(await whole.json()).toMatchObject({
    output: [{ content: [{ text: '活水', logprobs: [told, told] }] }],
    top_logprobs: 3,
    prompt_cache_key: 'k',
    safety_identifier: 's',
  })
  expect(world.upstream.requests.at(-1)?.body).toMatchObject({
    logprobs: true,
    top_logprobs: 3,
    prompt_cache_key: 'k',
    safety_identifier: 's',
  })
  const streamed = await (await caller.post({ ...body, stream: true }, { path: '/v1/responses' })).text()
  const deltas = [...streamed.matchAll(/^data: (.*output_text\.delta.*)$/gm)]
  expect(deltas.map(([, data]) => (JSON.parse(data!) as { logprobs: object[] }).logprobs)).toEqual([
    [told],
    [told],
  ])
})
