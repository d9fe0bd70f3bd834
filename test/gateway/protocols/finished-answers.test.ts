import { describe, expect, test } from 'vitest'
import type { ChatCompletion } from '#contract/gateway/completion-answers.ts'
import type { MessageResponse } from '#contract/gateway/messages.ts'
import type { ResponseObject } from '#contract/gateway/responses.ts'
import type { Script } from '../../world/upstream/upstream.ts'
import { createCaller, getBill, readStream, useCaller, userMessages, waitForRuns } from '../caller.ts'
import type { Caller } from '../caller.ts'
import { MODELS, PROVIDERS, useProviderWorld } from '../provider-world.ts'

// A finished answer counts as one, however empty: a 200 with its reason, charged once, and no other platform is asked.

const world = useProviderWorld()
const caller = useCaller(world)
const MESSAGES = { path: '/api/v1/messages' }
const RESPONSES = { path: '/api/v1/responses' }
const THOUGHT = '想了很久，还没有想完。'

const ENDS: [string, Script, { finish: string; stop: string; status: string }][] = [
  [
    'only reasoning, up to the limit',
    { reasoning: THOUGHT, text: '', finish: 'length' },
    { finish: 'length', stop: 'max_tokens', status: 'incomplete' },
  ],
  [
    'nothing, up to the limit',
    { text: '', finish: 'length' },
    { finish: 'length', stop: 'max_tokens', status: 'incomplete' },
  ],
  [
    'a text that is withheld in the middle',
    { text: '说到一半', finish: 'content_filter' },
    { finish: 'content_filter', stop: 'refusal', status: 'incomplete' },
  ],
  [
    'nothing, since it is withheld',
    { text: '', finish: 'content_filter', usage: null },
    { finish: 'content_filter', stop: 'refusal', status: 'incomplete' },
  ],
  ['nothing, and a count of it', { text: '' }, { finish: 'stop', stop: 'end_turn', status: 'completed' }],
]

async function expectPaidRuns(own: Caller): Promise<void> {
  for (const run of await waitForRuns(world, own)) {
    expect(run).toMatchObject({ state: 'done', code: null })
    expect(await getBill(world, run.id)).toBeDefined()
  }
}

describe.each(PROVIDERS)('of a platform that speaks %s', (dialect) => {
  const model = MODELS[dialect]
  const asked = { model, messages: userMessages('?') }

  test.each(ENDS)('%s is a 200, whole and in a stream', async (_, script, { finish }) => {
    const own = await createCaller(world)
    world.upstream.script(model, script)
    const before = world.upstream.requests.length
    const { choices } = await own.complete(asked)
    expect(choices[0]).toMatchObject({ finish_reason: finish, message: { content: script.text } })
    const { chunks, done } = await own.stream(asked)
    expect([chunks.at(-1)!.choices[0]!.finish_reason, done]).toEqual([finish, true])
    expect(world.upstream.requests.length - before).toBe(2)
    await expectPaidRuns(own)
  })

  test('nothing at all after the result of a tool is an answer, also without a count', async () => {
    world.upstream.script(model, { text: '', usage: null })
    const call = { id: 'call_1', type: 'function', function: { name: 'save', arguments: '{}' } }
    const messages = [
      ...userMessages('存一下'),
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: '好了' },
    ]
    const { choices } = await caller.complete({ model, messages })
    expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: '' } })
  })
})

test.each(ENDS)(
  '%s is a 200 at the doors of messages and responses too',
  async (_, script, { stop, status }) => {
    const model = MODELS.openai
    const own = await createCaller(world)
    world.upstream.script(model, script)
    const before = world.upstream.requests.length
    const asked = { model, messages: userMessages('?'), max_tokens: 99 }
    const message = await own.post(asked, MESSAGES)
    expect(((await message.json()) as MessageResponse).stop_reason).toBe(stop)
    const events = await (await own.post({ ...asked, stream: true }, MESSAGES)).text()
    expect(events).toContain(`"stop_reason":"${stop}"`)
    expect(events).toContain('event: message_stop')
    const response = await own.post({ model, input: '?' }, RESPONSES)
    expect(((await response.json()) as ResponseObject).status).toBe(status)
    const written = await (await own.post({ model, input: '?', stream: true }, RESPONSES)).text()
    expect(written).toContain(`event: response.${status}`)
    expect(world.upstream.requests.length - before).toBe(4)
    await expectPaidRuns(own)
  },
)

describe('a refusal in words', () => {
  const model = MODELS.openai
  const asked = { model, messages: userMessages('?') }
  const event = (choice: object): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`
  const refused = [event({ delta: { refusal: '抱歉，' } }), event({ delta: { refusal: '我不能。' } })]
  const end = [event({ delta: {}, finish_reason: 'stop' }), 'data: [DONE]\n\n']
  const part = { type: 'refusal', refusal: '抱歉，我不能。' }

  test.each([
    ['alone', ''],
    ['beside text', '先说一句。'],
  ])('%s stays one at each door, whole and in a stream', async (_, text) => {
    const own = await createCaller(world)
    const before = text ? [event({ delta: { content: text } })] : []
    world.upstream.script(model, { raw: [...before, ...refused, ...end] })
    const { choices } = await own.complete(asked)
    expect(choices[0].message).toMatchObject({ content: text || null, refusal: part.refusal })
    const chat = await readStream(await own.post({ ...asked, stream: true }))
    const deltas = chat.chunks.map(
      ({ choices: [choice] }) => (choice?.delta as { refusal?: string } | undefined)?.refusal ?? '',
    )
    expect([chat.text, deltas.join(''), chat.done]).toEqual([text, part.refusal, true])

    const message = (await (await own.post({ ...asked, max_tokens: 9 }, MESSAGES)).json()) as MessageResponse
    expect(message.stop_reason).toBe('refusal')
    expect(message.content.at(-1)).toEqual({ type: 'text', text: part.refusal })

    const response = (await (await own.post({ model, input: '?' }, RESPONSES)).json()) as ResponseObject
    expect(response.output.at(-1)).toMatchObject({ type: 'message', content: [part] })
    const events = await (await own.post({ model, input: '?', stream: true }, RESPONSES)).text()
    expect(events).toContain('event: response.refusal.delta')
    expect(events).toContain(JSON.stringify(part))
    for (const { id } of await waitForRuns(world, own)) expect(await getBill(world, id)).toBeDefined()
  })

  test('of a whole object is read, and is the same again under its Idempotency-Key', async () => {
    const completion = {
      choices: [{ message: { content: null, refusal: part.refusal }, finish_reason: 'stop' }],
    }
    world.upstream.script(model, { raw: [JSON.stringify(completion)] })
    const headers = { 'Idempotency-Key': 'refused' }
    const first = (await (await caller.post(asked, { headers })).json()) as ChatCompletion
    expect(first.choices[0].message).toMatchObject({ content: null, refusal: part.refusal })
    expect(await (await caller.post(asked, { headers })).json()).toEqual(first)
  })
})

describe.each(PROVIDERS)(
  'a call of a function, as clients asked before there were tools, at %s',
  (dialect) => {
    const model = MODELS[dialect]
    const functions = [{ name: 'weather', parameters: { type: 'object', properties: {} } }]
    const asked = { model, functions, messages: userMessages('上海天气') }
    const call = { name: 'weather', arguments: '{"city":"上海"}' }

    test('is answered as one, whole and in a stream, and its result goes back', async () => {
      const own = await createCaller(world)
      world.upstream.script(model, { text: '', tool_calls: [{ id: 'call_1', ...call }] })
      const [choice] = (await own.complete({ ...asked, function_call: { name: 'weather' } })).choices
      expect(choice).toMatchObject({ message: { function_call: call }, finish_reason: 'function_call' })
      expect(choice.message).not.toHaveProperty('tool_calls')
      const { chunks } = await own.stream(asked)
      const deltas = chunks.map(
        ({ choices }) => choices[0]?.delta as { function_call?: Partial<typeof call> },
      )
      const pieces = deltas.flatMap((delta) => delta?.function_call ?? [])
      expect(pieces[0]!.name).toBe('weather')
      expect(pieces.map((piece) => piece.arguments).join('')).toBe(call.arguments)
      expect(chunks.at(-1)!.choices[0]!.finish_reason).toBe('function_call')

      world.upstream.script(model, { text: '上海晴' })
      const result = { role: 'function', name: 'weather', content: '晴' }
      const turns = [...asked.messages, { role: 'assistant', content: null, function_call: call }, result]
      const answer = await own.complete({ ...asked, messages: turns })
      expect(answer.choices[0].message.content).toBe('上海晴')
      expect(JSON.stringify(world.upstream.requests.at(-1)!.body)).toMatch(/weather.*上海.*晴/)
    })
  },
)
