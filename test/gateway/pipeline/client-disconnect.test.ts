import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { expectCallError } from '../../world/client.ts'
import { createSound } from '../../world/upstream/operations.ts'
import { useOwnWorld } from '../../world/use-world.ts'
import {
  getBill,
  readError,
  createCaller,
  userMessages,
  readStream,
  getRunId,
  waitForRuns,
} from '../caller.ts'
import type { Caller } from '../caller.ts'

const world = useOwnWorld({ capacity: { abandoned_grace_ms: 2_000 } })
let caller: Caller

/** Makes another account's whole completion: by its end the app has read everything that came before its start. */
async function completeMeanwhile(): Promise<void> {
  const other = await createCaller(world)
  await other.complete({ model: 'flat', messages: userMessages('?') })
}

const LONG = '问渠那得清如许？为有源头活水来。'.repeat(20)
const asked = { model: 'scripted-paid', messages: userMessages('源头在哪里？') }
const getLastRequest = () => world.upstream.requests.at(-1)!

describe('a client that leaves', () => {
  test.each([true, false])(
    'stops the answer at its platform, and pays for what was produced (stream: %s)',
    async (stream) => {
      caller = await createCaller(world)
      // The last frames never come.
      world.upstream.script('scripted-paid', { text: LONG, chars: 10, stall: 20 })
      const before = world.upstream.requests.length
      const gone = new AbortController()
      const call = caller.post({ ...asked, stream }, { signal: gone.signal })
      if (stream) {
        const reading = readStream(await call, ({ choices }) => {
          if (choices[0]?.delta.content) gone.abort()
        })
        await expect(reading).rejects.toThrow()
      } else {
        await expect.poll(() => world.upstream.requests.length).toBe(before + 1)
        // A first text comes before the disconnect.
        await completeMeanwhile()
        gone.abort()
        await expect(call).rejects.toThrow()
      }
      await expect.poll(() => world.upstream.requests[before]!.aborted).toBe(true)
      const [run] = await waitForRuns(world, caller)
      expect(run).toMatchObject({ state: 'cancelled', kind: 'gateway' })
      const bill = await getBill(world, run!.id)
      expect(bill).toMatchObject({ usage_source: 'counted' })
      expect(bill!.output_tokens).toBeGreaterThan(20)
    },
  )

  test('pays for all of a long stream, also for what nobody kept', async () => {
    caller = await createCaller(world)
    const chars = 60_000
    world.upstream.script('scripted-paid', { text: LONG.repeat(300), chars: 500, stall: chars / 500 + 1 })
    const gone = new AbortController()
    let received = 0
    const reading = readStream(
      await caller.post({ ...asked, stream: true }, { signal: gone.signal }),
      ({ choices }) => {
        received += choices[0]?.delta.content?.length ?? 0
        if (received >= chars) gone.abort()
      },
    )
    await expect(reading).rejects.toThrow()
    const [run] = await waitForRuns(world, caller)
    const bill = await getBill(world, run!.id)
    expect(bill).toMatchObject({ usage_source: 'counted' })
    // About 0.6 tokens a Chinese character.
    expect(bill!.output_tokens).toBeGreaterThan(chars * 0.5)
    expect(bill!.output_tokens).toBeLessThan(chars * 0.75)
  })

  test('before the first word pays nothing', async () => {
    caller = await createCaller(world)
    world.upstream.script('scripted-paid', { text: LONG, stall: 'headers' })
    const before = world.upstream.requests.length
    const gone = new AbortController()
    const call = caller.post({ ...asked, stream: true }, { signal: gone.signal })
    await expect.poll(() => world.upstream.requests.length).toBe(before + 1)
    gone.abort()
    await expect(call).rejects.toThrow()
    await expect.poll(() => getLastRequest().aborted).toBe(true)
    const [run] = await waitForRuns(world, caller)
    expect(run!.state).toBe('cancelled')
    expect(await getBill(world, run!.id)).toBeUndefined()
  })

  test('while its connection takes no more is let go as well', async () => {
    caller = await createCaller(world)
    // Far more than the buffers between the upstream and a client that does not read.
    world.upstream.script('scripted-paid', { text: LONG.repeat(25_000), chars: 50_000 })
    const gone = new AbortController()
    const response = await caller.post({ ...asked, stream: true }, { signal: gone.signal })
    const request = getLastRequest()
    await completeMeanwhile()
    expect(request).toMatchObject({ answered: false, aborted: false })
    // Used after the wait: fetch cancels a response that was collected as garbage.
    expect(response.bodyUsed).toBe(false)
    gone.abort()
    await expect.poll(() => request.aborted).toBe(true)
    const [run] = await waitForRuns(world, caller)
    expect(run!.state).toBe('cancelled')
  })
})

test('calls that are left before anything came cost the house: after thirty of them both doors refuse', async () => {
  caller = await createCaller(world)
  world.upstream.script('scripted-paid', { text: LONG, stall: 'headers' })
  const before = world.upstream.requests.length
  const gone = new AbortController()
  const calls = Array.from({ length: 30 }, (_, seed) =>
    caller.post({ ...asked, seed, stream: seed % 2 === 0 }, { signal: gone.signal }),
  )
  await expect.poll(() => world.upstream.requests.length).toBe(before + 30)
  gone.abort()
  await Promise.allSettled(calls)
  expect((await waitForRuns(world, caller)).map(({ state }) => state)).toEqual(calls.map(() => 'cancelled'))
  const refused = await caller.post(asked)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await readError(refused)).toMatchObject({ status: 429, code: 'rate_limited' })
  const question = caller.user.call('POST /api/chat/create', { body: { prompt: '源头在哪里？' } })
  expect((await expectCallError(question)).body.code).toBe('rate_limited')
  world.upstream.release()
})

describe('a client that gives up before it got anything, and tries again', () => {
  // Long enough for a second call on a busy machine.
  const world = useOwnWorld({ capacity: { abandoned_grace_ms: 60_000 } })
  /**
   * Returns OpenAI's own client, which tries again by itself after half a second. Its first call breaks once the platform has it,
   * and the platform answers when the second one is made.
   */
  function createImpatientClient({ key }: Caller): { client: OpenAI; calls: () => number } {
    let calls = 0
    const before = world.upstream.requests.length
    const breakFirst: typeof fetch = async (url, init) => {
      calls += 1
      if (calls > 1) {
        world.upstream.release()
        return fetch(url, init)
      }
      const gone = new AbortController()
      const first = fetch(url, { ...init, signal: gone.signal })
      await expect.poll(() => world.upstream.requests.length).toBe(before + 1)
      gone.abort()
      return first
    }
    const client = new OpenAI({
      apiKey: key,
      baseURL: `${world.url}/api/v1`,
      maxRetries: 1,
      fetch: breakFirst,
    })
    return { client, calls: () => calls }
  }
  const messages = [{ role: 'user' as const, content: '源头在哪里？' }]

  test.each([
    ['a whole answer', { model: 'scripted-paid', messages }],
    ['a stream', { model: 'scripted-paid', messages, stream: true as const }],
  ])('is given %s of its first run, for one charge', async (_, body) => {
    caller = await createCaller(world)
    world.upstream.script('scripted-paid', { text: '活水', stall: 'headers' })
    const before = world.upstream.requests.length
    const { client, calls } = createImpatientClient(caller)
    const answer = await client.chat.completions.create(body)
    let text = ''
    if ('choices' in answer) text = answer.choices[0]?.message.content ?? ''
    else for await (const { choices } of answer) text += choices[0]?.delta.content ?? ''
    expect([text, calls()]).toEqual(['活水', 2])
    expect(world.upstream.requests.length - before).toBe(1)
    expect(await waitForRuns(world, caller)).toMatchObject([{ state: 'done' }])
  })

  test('is given the sound of its first run', async () => {
    caller = await createCaller(world)
    world.upstream.script('tts-cheap', { stall: 'headers' })
    const before = world.upstream.requests.length
    const input = { model: 'scripted-tts', voice: 'alloy', input: '活水' }
    const { client, calls } = createImpatientClient(caller)
    const answer = await client.audio.speech.create(input)
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(createSound('活水'))
    expect([world.upstream.requests.length - before, calls()]).toEqual([1, 2])
    world.upstream.script('tts-cheap', {})
  })

  test('with another question, or another key, has a run of its own', async () => {
    caller = await createCaller(world)
    world.upstream.script('scripted-paid', { stall: 'headers' }, { text: '另一个' })
    const before = world.upstream.requests.length
    const gone = new AbortController()
    const left = caller.post(asked, { signal: gone.signal })
    await expect.poll(() => world.upstream.requests.length).toBe(before + 1)
    gone.abort()
    await expect(left).rejects.toThrow()
    const other = await createCaller(world, {}, caller.user)
    for (const answer of [await other.complete(asked), await caller.complete({ ...asked, seed: 1 })])
      expect(answer.choices[0].message.content).toBe('另一个')
    expect(world.upstream.requests.length - before).toBe(3)
    world.upstream.release()
    await waitForRuns(world, caller)
  })
})

test('two equal calls that nobody gave up are two runs', async () => {
  caller = await createCaller(world)
  world.upstream.script('scripted-paid', { text: '好', delay_ms: 200 })
  await Promise.all([caller.complete(asked), caller.complete(asked)])
  expect(await waitForRuns(world, caller)).toHaveLength(2)
})

describe('an Idempotency-Key', () => {
  const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } })

  test('gives the same answer for one charge, at once and later', async () => {
    caller = await createCaller(world)
    world.upstream.script('scripted-paid', { text: LONG, chars: 10, every_ms: 5 })
    const before = world.upstream.requests.length
    const twice = await Promise.all([
      caller.complete(asked, keyed('k1')),
      caller.complete(asked, keyed('k1')),
    ])
    const again = await caller.complete(asked, keyed('k1'))
    expect(twice).toEqual([again, again])
    expect(world.upstream.requests.length - before).toBe(1)
    expect(await waitForRuns(world, caller)).toHaveLength(1)
  })

  test('gives the same stream again, with tools and usage', async () => {
    caller = await createCaller(world)
    const call = { id: 'call_1', name: 'weather', arguments: '{"city":"上海\\u0000"}' }
    world.upstream.script('scripted-paid', {
      reasoning: '想',
      text: '查\ud83d一下',
      tool_calls: [call],
      chars: 1,
    })
    const body = { ...asked, stream_options: { include_usage: true } }
    const first = await caller.stream(body, keyed('k2'))
    const second = await caller.stream(body, keyed('k2'))
    expect(second.done).toBe(true)
    expect(second.text).toBe(first.text)
    expect(second.chunks.at(-1)).toEqual(first.chunks.at(-1))
    const written = second.chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
    expect(written).toEqual([
      {
        index: 0,
        id: 'call_1',
        type: 'function',
        function: { name: 'weather', arguments: call.arguments },
      },
    ])
    expect(await waitForRuns(world, caller)).toHaveLength(1)
  })

  test('is refused for another request, and is its owner’s own', async () => {
    caller = await createCaller(world)
    world.upstream.script('scripted-paid', { text: '好' })
    await caller.complete(asked, keyed('k3'))
    const other = await caller.post({ ...asked, seed: 1 }, keyed('k3'))
    expect(await readError(other)).toMatchObject({ status: 422, code: 'idempotency_mismatch' })
    const stranger = await createCaller(world)
    await stranger.complete({ ...asked, seed: 1 }, keyed('k3'))
    expect(await readError(await caller.post(asked, keyed('a b')))).toMatchObject({ status: 400 })
  })

  test('lets a client come back for the answer that it left', async () => {
    caller = await createCaller(world)
    world.upstream.script('scripted-paid', { text: LONG, chars: 10, stall: 5 })
    const gone = new AbortController()
    const body = { ...asked, stream: true }
    const reading = readStream(await caller.post(body, { ...keyed('k4'), signal: gone.signal }), () =>
      gone.abort(),
    )
    await expect(reading).rejects.toThrow()
    const coming = caller.stream(asked, keyed('k4'))
    world.upstream.release()
    expect(await coming).toMatchObject({ text: LONG, done: true, error: null })
    const runs = await waitForRuns(world, caller)
    expect(runs).toMatchObject([{ state: 'done' }])
    expect(await getBill(world, runs[0]!.id)).toBeDefined()
  })

  test('keeps the answer, whoever of those that wait for it leaves', async () => {
    caller = await createCaller(world)
    world.upstream.script('scripted-paid', { text: LONG, chars: 10, stall: 5 })
    const before = world.upstream.requests.length
    const first = caller.complete(asked, keyed('k7'))
    await expect.poll(() => world.upstream.requests.length).toBe(before + 1)
    const gone = new AbortController()
    const second = caller.post(asked, { ...keyed('k7'), signal: gone.signal })
    await completeMeanwhile()
    gone.abort()
    await expect(second).rejects.toThrow()
    await completeMeanwhile()
    world.upstream.release()
    expect(await caller.complete(asked, keyed('k7'))).toEqual(await first)
    expect(await waitForRuns(world, caller)).toHaveLength(1)
  })

  test('tries anew after a failure that gave nothing', async () => {
    caller = await createCaller(world)
    world.upstream.script('scripted-paid', { status: 500 }, { text: '这次好了' })
    expect(await readError(await caller.post(asked, keyed('k5')))).toMatchObject({ code: 'upstream_failed' })
    const { choices } = await caller.complete(asked, keyed('k5'))
    expect(choices[0].message.content).toBe('这次好了')
  })

  test('is remembered by another process', async () => {
    caller = await createCaller(world)
    world.upstream.script('scripted-paid', { text: '记得' }, { text: '忘了' })
    const first = await caller.complete(asked, keyed('k6'))
    await world.restart()
    expect(await caller.complete(asked, keyed('k6'))).toEqual(first)
    expect(getRunId(first)).toBe((await waitForRuns(world, caller))[0]!.id)
  })
})

test('a server that stops ends its streams honestly and settles them', async () => {
  caller = await createCaller(world)
  world.upstream.script('scripted-paid', { text: LONG, chars: 10, stall: 5 })
  const response = await caller.post({ ...asked, stream: true })
  let restarted = Promise.resolve()
  const streamed = await readStream(response, ({ choices }) => {
    if (choices[0]?.delta.role) restarted = world.restart()
  })
  await restarted
  expect(streamed).toMatchObject({ done: false, error: { type: 'server_error', code: 'interrupted' } })
  expect(streamed.text.length).toBeGreaterThan(0)
  const [run] = await waitForRuns(world, caller)
  expect(run!.state).toBe('interrupted')
  expect(await getBill(world, run!.id)).toBeDefined()
})
