import { describe, expect, test } from 'vitest'
import { UpstreamError } from '#server/llm/upstream-error.ts'
import { DEFAULT_PREFERENCE } from '#server/llm/routing/preference.ts'
import type { RoutePreference } from '#server/llm/routing/preference.ts'
import type { Script } from '#test/world/upstream/upstream.ts'
import type { ChatRequest } from '#server/llm/chat-request.ts'
import { createRequest, getErrorCode } from '../provider-call.ts'
import { SYSTEM_CLOCK } from '#server/llm/routing/clock.ts'
import { createPlatforms, route, formatAttempts } from './platforms.ts'

const GOOD: Script = { text: '天地玄黄，宇宙洪荒', chars: 3 }
const role = 'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\n'
const lowcost: RoutePreference = { ...DEFAULT_PREFERENCE, strategy: 'lowcost' }

describe('a failure before the first content goes to the next platform, and both calls are told', () => {
  const faults: [string, Script, string][] = [
    ['answers 429', { status: 429 }, 'upstream_rate_limited'],
    ['answers 500', { status: 500 }, 'upstream_failed'],
    ['answers 401', { status: 401 }, 'upstream_rejected'],
    ['does not know the model', { status: 404 }, 'upstream_rejected'],
    ['hangs before the headers', { stall: 'headers' }, 'upstream_timeout'],
    ['hangs after an empty role event', { ...GOOD, stall: 1 }, 'upstream_timeout'],
    ['cuts after an empty role event', { ...GOOD, cut: 1 }, 'upstream_cut'],
    ['ends after an empty role event', { raw: [role] }, 'upstream_cut'],
    ['stops without a text or a count', { text: '', usage: null }, 'upstream_empty'],
    ['sends what is no event', { raw: ['<html></html>\n\n'] }, 'upstream_malformed'],
  ]
  test.each(faults)('the cheapest %s', async (_, script, code) => {
    const platforms = await createPlatforms(script.stall === undefined ? {} : { a_timeout_ms: 500 })
    platforms.script('a', script)
    platforms.script('b', GOOD)
    const told = await route(platforms)
    expect(told).toMatchObject({ text: GOOD.text, error: null, offers: ['b'] })
    expect(told.parts).toEqual(['offer', 'delta', 'usage', 'finish'])
    expect(formatAttempts(told)).toEqual([`a failed ${code}`, 'b answered'])
    expect(told.attempts.map(({ first_content_ms }) => first_content_ms)).toEqual([null, 0])
    expect(told.attempts[1]?.output_tokens).toBeGreaterThan(0)
    expect(platforms.countRequests()).toEqual([1, 1, 0])
  })

  test('nobody listens where the cheapest should be', async () => {
    const platforms = await createPlatforms()
    platforms.script('b', GOOD)
    await platforms.close('a')
    const told = await route(platforms)
    expect(formatAttempts(told)).toEqual(['a failed upstream_refused', 'b answered'])
  })

  test('the operator is told what it said, the record is not', async () => {
    const platforms = await createPlatforms()
    platforms.script('a', { status: 500, body: 'canary of the upstream' })
    const told = await route(platforms)
    expect(JSON.stringify(platforms.logEntries)).toContain('canary of the upstream')
    expect(told.attempts[0]?.reason).toBe('http 500')
    expect(JSON.stringify(told.attempts)).not.toContain('canary')
  })
})

describe('no other platform is asked', () => {
  test('after the first text: the answer is cut, an error and never a clean end', async () => {
    const platforms = await createPlatforms()
    platforms.script('a', { ...GOOD, cut: 2 })
    const told = await route(platforms)
    expect(told).toMatchObject({ text: '天地玄', offers: ['a'], parts: ['offer', 'delta'] })
    expect([getErrorCode(told.error), formatAttempts(told)]).toEqual(['upstream_cut', ['a cut upstream_cut']])
    expect(platforms.countRequests()).toEqual([1, 0, 0])
  })

  test('after the first reasoning', async () => {
    const platforms = await createPlatforms()
    platforms.script('a', { ...GOOD, reasoning: '想一想', cut: 2 })
    const told = await route(platforms)
    expect([told.parts, formatAttempts(told)]).toEqual([['offer', 'reasoning'], ['a cut upstream_cut']])
  })

  test.each([400, 422])('for a question that is refused with %i', async (status) => {
    const platforms = await createPlatforms()
    platforms.script('a', { status })
    const told = await route(platforms, { preference: { retries: 3 } })
    expect([getErrorCode(told.error), formatAttempts(told)]).toEqual([
      'request_rejected',
      ['a failed request_rejected'],
    ])
    expect(platforms.llm.planRoute('m', lowcost).candidates[0]).toMatchObject({
      state: 'ready',
      uptime: null,
    })
  })

  test('without auto_switch', async () => {
    const platforms = await createPlatforms()
    platforms.script('a', { status: 500 })
    const told = await route(platforms, { preference: { auto_switch: false } })
    expect([getErrorCode(told.error), platforms.countRequests()]).toEqual(['upstream_failed', [1, 0, 0]])
  })

  test("with strategy none: the model's own vendor only", async () => {
    const platforms = await createPlatforms()
    const plan = platforms.llm.planRoute('m', { ...lowcost, strategy: 'none' })
    expect(plan.offers.map(({ platform }) => platform)).toEqual(['a'])
    expect(plan.candidates.map(({ platform, state }) => [platform, state])).toEqual([
      ['a', 'ready'],
      ['b', 'other_vendor'],
      ['c', 'other_vendor'],
      ['d', 'other_vendor'],
    ])
  })
})

describe('all platforms fail', () => {
  test('the most telling failure is told', async () => {
    const platforms = await createPlatforms()
    platforms.script('a', { status: 500 })
    platforms.script('b', { status: 429, headers: { 'retry-after': '30' } })
    platforms.script('c', { status: 403 })
    const { error } = await route(platforms)
    expect(error).toBeInstanceOf(UpstreamError)
    expect(error).toMatchObject({ code: 'upstream_rate_limited', retry_after: 30 })
  })

  test('retries wait for Retry-After, begin with whoever is ready first, and are counted', async () => {
    const platforms = await createPlatforms()
    platforms.script('a', { status: 429, headers: { 'retry-after': '3' } })
    platforms.script('b', { status: 429, headers: { 'retry-after': '2' } }, GOOD)
    platforms.script('c', { status: 401 })
    const told = await route(platforms, { preference: { retries: 1 } })
    expect(formatAttempts(told)).toEqual([
      'a failed upstream_rate_limited',
      'b failed upstream_rate_limited',
      'c failed upstream_rejected',
      'b answered',
    ])
    expect(platforms.sleeps).toEqual([2_000])
    expect(platforms.countRequests()).toEqual([1, 2, 1])
  })

  test('nobody waits longer than ten seconds in all', async () => {
    const platforms = await createPlatforms()
    for (const name of ['a', 'b', 'c'] as const)
      platforms.script(name, { status: 429, headers: { 'retry-after': '4' } })
    const told = await route(platforms, { preference: { retries: 9 } })
    expect(platforms.sleeps.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(10_000)
    expect(told.error).toMatchObject({ code: 'upstream_rate_limited', retry_after: 4 })
  })

  test('a storm costs the platforms about one call a run', async () => {
    const platforms = await createPlatforms()
    for (const name of ['a', 'b', 'c'] as const) platforms.script(name, { status: 503 })
    for (let run = 0; run < 100; run += 1) await route(platforms, { preference: { retries: 5 } })
    const asked = platforms.countRequests().reduce((sum, calls) => sum + calls, 0)
    // Without a budget: 8 calls a run. Waiting earns one call every two seconds.
    const waited = platforms.sleeps.reduce((sum, ms) => sum + ms, 0) / 2_000
    expect(asked).toBeGreaterThanOrEqual(100)
    expect(asked).toBeLessThanOrEqual(100 + 2 + 10 + 10 + waited)
  })
})

test('a request that needs what a platform cannot do goes past it, and the plan says why', async () => {
  const { llm } = await createPlatforms({ a_lacks: ['json_schema', 'tools'] })
  const request = { ...createRequest('?'), tools: [{ name: 'time', parameters: {} }] }
  const { candidates, offers } = llm.planRoute('m', lowcost, request)
  expect(offers.map(({ platform }) => platform)).toEqual(['b', 'c'])
  expect(candidates.find(({ platform }) => platform === 'a')).toMatchObject({
    state: 'unable',
    reason: 'cannot: tools',
  })
  expect(llm.planRoute('m', lowcost, createRequest('?')).offers[0]?.platform).toBe('a')
})

test('who can promise what is asked for comes before those that must be asked for it in words', async () => {
  const { llm } = await createPlatforms({ a_lacks: ['json_schema'] })
  const schema = { type: 'object' }
  const request = {
    ...createRequest('?'),
    response_format: { type: 'json_schema' as const, name: 'x', schema },
  }
  const list = (asked: ChatRequest) =>
    llm.planRoute('m', lowcost, asked).offers.map(({ platform }) => platform)
  expect(list(request)).toEqual(['b', 'c', 'a'])
  expect(list(createRequest('?'))).toEqual(['a', 'b', 'c'])
})

describe('a platform that failed', () => {
  test('is left alone while it rests, and comes last in the plan rather than never', async () => {
    const platforms = await createPlatforms()
    platforms.script('a', { status: 500 }, GOOD)
    await route(platforms)
    const { candidates, offers } = platforms.llm.planRoute('m', lowcost)
    expect(offers.map(({ platform }) => platform)).toEqual(['b', 'c', 'a'])
    expect(candidates.map(({ platform, state, price }) => [platform, state, price])).toEqual([
      ['b', 'ready', 200],
      ['c', 'ready', 300],
      ['a', 'cooling', 100],
      ['d', 'not_configured', 400],
    ])
    expect((await route(platforms)).offers).toEqual(['b'])
    platforms.script('b', { status: 500 })
    platforms.script('c', { status: 500 })
    expect((await route(platforms)).offers).toEqual(['a'])
  })

  test('of fifty at once, one tries it again', async () => {
    const platforms = await createPlatforms()
    platforms.script('a', { status: 500 }, { ...GOOD, delay_ms: 200 })
    await route(platforms)
    platforms.advanceTime(1_000)
    const all = await Promise.all(Array.from({ length: 50 }, () => route(platforms)))
    expect(all.filter(({ offers }) => offers[0] === 'a')).toHaveLength(1)
    expect(platforms.countRequests()).toEqual([2, 50, 0])
    expect((await route(platforms)).offers).toEqual(['a'])
  })
})

describe('a platform that rested', () => {
  test('is open to all again with the first text of the one that tries it', async () => {
    const platforms = await createPlatforms()
    platforms.script('a', { status: 500 }, { ...GOOD, stall: 2 }, GOOD)
    await route(platforms)
    platforms.advanceTime(1_000)
    const spoke = Promise.withResolvers<void>()
    const probe = route(platforms, { onPart: ({ type }) => type === 'delta' && spoke.resolve() })
    await spoke.promise
    expect((await route(platforms)).offers).toEqual(['a'])
    platforms.upstreams.a.release()
    expect(formatAttempts(await probe)).toEqual(['a answered'])
  })

  test('those that still rest are planned by who is ready first', async () => {
    const platforms = await createPlatforms()
    for (const [name, seconds] of Object.entries({ a: 30, b: 5, c: 60 }))
      platforms.script(name as 'a', { status: 429, headers: { 'retry-after': `${seconds}` } })
    await route(platforms)
    const { offers } = platforms.llm.planRoute('m', lowcost)
    expect(offers.map(({ platform }) => platform)).toEqual(['b', 'a', 'c'])
  })
})

describe('a caller that leaves', () => {
  test('while the platform thinks: the call ends and nobody else is asked', async () => {
    const platforms = await createPlatforms()
    platforms.script('a', { ...GOOD, stall: 1 })
    const abort = new AbortController()
    const routed = route(platforms, { signal: abort.signal })
    await expect.poll(() => platforms.countRequests()).toEqual([1, 0, 0])
    abort.abort(new Error('left'))
    const told = await routed
    expect(told.error).toEqual(new Error('left'))
    expect([formatAttempts(told), platforms.countRequests()]).toEqual([['a aborted'], [1, 0, 0]])
    await expect.poll(() => platforms.upstreams.a.requests[0]?.aborted).toBe(true)
    expect(platforms.llm.planRoute('m', lowcost).candidates[0]).toMatchObject({
      state: 'ready',
      uptime: null,
    })
  })

  test('while a platform rests: the waiting ends at once', async () => {
    const abort = new AbortController()
    const platforms = await createPlatforms({
      sleep(ms, signal) {
        const waiting = SYSTEM_CLOCK.sleep(ms, signal)
        abort.abort(new Error('left'))
        return waiting
      },
    })
    for (const name of ['a', 'b', 'c'] as const)
      platforms.script(name, { status: 429, headers: { 'retry-after': '9' } })
    const told = await route(platforms, { signal: abort.signal, preference: { retries: 1 } })
    expect(told.error).toEqual(new Error('left'))
    expect(told.attempts).toHaveLength(3)
    expect(platforms.countRequests()).toEqual([1, 1, 1])
  })

  test('in the middle of an answer: it is told as aborted, and the platform is not blamed', async () => {
    const platforms = await createPlatforms()
    platforms.script('a', { ...GOOD, stall: 3 })
    const abort = new AbortController()
    const onPart = (): void => abort.abort(new Error('left'))
    const told = await route(platforms, { signal: abort.signal, onPart })
    expect(formatAttempts(told)).toEqual(['a aborted'])
    expect(platforms.llm.getMetrics('m').get('a')).toMatchObject({ uptime: 1 })
  })
})

test('what was measured is shown, and changes the order', async () => {
  const platforms = await createPlatforms()
  expect(platforms.llm.getMetrics('m').get('a')).toMatchObject({
    latency_ms: null,
    throughput: null,
    uptime: null,
  })
  platforms.script('a', { ...GOOD, usage: { prompt_tokens: 5, completion_tokens: 30 } })
  const later = ({ type }: { type: string }): void => {
    if (type === 'offer') platforms.advanceTime(500)
  }
  await route(platforms, { onPart: later })
  expect(platforms.llm.getMetrics('m').get('a')).toMatchObject({ latency_ms: 0, throughput: 60, uptime: 1 })
  platforms.script('a', { status: 500 })
  await route(platforms)
  platforms.advanceTime(60_000)
  expect(platforms.llm.getMetrics('m').get('a')).toMatchObject({ uptime: 0.5, calls: 2 })
  const first = platforms.llm.planRoute('m', { ...lowcost, strategy: 'ha' }).offers[0]
  expect(first?.platform).toBe('b')
  expect([...platforms.llm.getMetrics('m').keys()].toSorted()).toEqual(['a', 'b', 'c', 'd'])
})
