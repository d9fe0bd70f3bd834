import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { UpstreamError } from '#server/llm/upstream-error.ts'
import { createRetryBudget } from '#server/llm/routing/retry-budget.ts'
import { getCooldownMs } from '#server/llm/routing/cooldown.ts'
import { classifyFault, selectMainError, describeFailure } from '#server/llm/routing/fault.ts'
import { createHealthTracker } from '#server/llm/routing/health.ts'
import type { Permit } from '#server/llm/routing/health.ts'
import { createMetricsTracker } from '#server/llm/routing/metrics.ts'

const KEY = 'a\nm'

function createTestHealth(random = 0) {
  let ms = 1_000_000
  const clock = { now: () => ms, random: () => random }
  const health = createHealthTracker(clock)
  const acquire = (): Permit => health.forceAcquire(KEY)
  const state = (): string => health.getStatus(KEY).state
  return { health, acquire, state, pass: (more: number) => void (ms += more), now: clock.now }
}

describe('the rest after a failure', () => {
  const faults = fc.constantFrom('transient', 'rate_limited', 'platform')
  const chance = fc.double({ min: 0, max: 0.999, noNaN: true })

  test('grows with the failures, never beyond its longest, and never falls short of Retry-After', () => {
    fc.assert(
      fc.property(faults, fc.integer({ min: 1, max: 1000 }), chance, (fault, streak, random) => {
        expect(getCooldownMs(fault, streak + 1, null, random)).toBeGreaterThanOrEqual(
          getCooldownMs(fault, streak, null, random),
        )
        expect(getCooldownMs(fault, streak, null, random)).toBeLessThanOrEqual(
          fault === 'platform' ? 600_000 : 60_000,
        )
      }),
    )
    fc.assert(
      fc.property(faults, fc.integer({ min: 0, max: 3600 }), chance, (fault, seconds, random) => {
        expect(getCooldownMs(fault, 1, seconds, random)).toBeGreaterThanOrEqual(seconds * 1000)
      }),
    )
  })

  test('a platform that a person must mend rests longer', () => {
    expect([getCooldownMs('transient', 1, null, 0), getCooldownMs('platform', 1, null, 0)]).toEqual([
      1_000, 60_000,
    ])
    expect(getCooldownMs('transient', 1, null, 0.5)).toBe(750)
    expect(getCooldownMs('rate_limited', 1, 86_400, 0.5)).toBe(3_600_000)
  })
})

describe('the circuit of a platform and model', () => {
  test('rests, lets exactly one of fifty through, and closes when that one is answered', () => {
    const { health, acquire, state, pass } = createTestHealth()
    health.recordFailure(acquire(), 'transient', null)
    expect([state(), health.acquire(KEY)]).toEqual(['cooling', null])
    pass(1_000)
    expect(state()).toBe('ready')
    const [probe, ...others] = Array.from({ length: 50 }, () => health.acquire(KEY))
    expect(probe).not.toBeNull()
    expect(others.every((permit) => permit === null)).toBe(true)
    expect(state()).toBe('probing')
    if (probe) health.markAlive(probe)
    expect(health.acquire(KEY)).not.toBeNull()
  })

  test('a probe that fails opens it for longer; one that is given up leaves its place', () => {
    const { health, acquire, state, pass } = createTestHealth()
    health.recordFailure(acquire(), 'transient', null)
    pass(1_000)
    const givenUp = health.acquire(KEY)
    if (givenUp) health.release(givenUp)
    const probe = health.acquire(KEY)
    if (probe) health.recordFailure(probe, 'transient', null)
    expect(health.getStatus(KEY)).toMatchObject({ state: 'cooling', ready_in_ms: 2_000 })
    pass(1_999)
    expect(state()).toBe('cooling')
  })

  test('fifty failures of calls that ran at the same time are one failure', () => {
    const { health, acquire } = createTestHealth()
    const permits = Array.from({ length: 50 }, acquire)
    for (const permit of permits) health.recordFailure(permit, 'transient', null)
    expect(health.getStatus(KEY).ready_in_ms).toBe(1_000)
    const [late] = permits
    if (late) health.recordFailure(late, 'rate_limited', 30)
    expect(health.getStatus(KEY).ready_in_ms).toBe(30_000)
  })

  test('begun answers do not end the streak, whole ones do', () => {
    const { health, acquire, pass } = createTestHealth()
    const cut = (): number => {
      const permit = acquire()
      health.markAlive(permit)
      health.recordFailure(permit, 'transient', null)
      const { ready_in_ms } = health.getStatus(KEY)
      pass(ready_in_ms)
      return ready_in_ms
    }
    expect([cut(), cut(), cut()]).toEqual([1_000, 2_000, 4_000])
    health.recordSuccess(acquire())
    expect(cut()).toBe(1_000)
  })

  test('what began before it opened does not close it', () => {
    const { health, acquire, state } = createTestHealth()
    const [early, failing] = [acquire(), acquire()]
    health.recordFailure(failing, 'transient', null)
    health.recordSuccess(early)
    expect(state()).toBe('cooling')
    health.recordSuccess(acquire())
    expect(state()).toBe('ready')
  })

  test('whatever happens, there is never more than one probe, and rest always ends', () => {
    const step = fc.tuple(
      fc.constantFrom('acquire', 'markAlive', 'recordSuccess', 'recordFailure', 'release', 'pass'),
      fc.nat({ max: 20 }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { health, state, pass } = createTestHealth(0.3)
        const openPermits: Permit[] = []
        for (const [action, number] of steps) {
          const before = state()
          const [permit] = openPermits.slice(number % (openPermits.length || 1))
          if (action === 'pass') pass(number * 500)
          else if (action === 'acquire') {
            const acquired = health.acquire(KEY)
            expect(acquired === null).toBe(before !== 'ready')
            if (acquired) openPermits.push(acquired)
          } else if (permit) {
            if (action === 'recordFailure') health.recordFailure(permit, 'transient', null)
            else health[action](permit)
            if (action !== 'markAlive') openPermits.splice(openPermits.indexOf(permit), 1)
          }
        }
        for (const permit of openPermits) health.release(permit)
        pass(60_000)
        expect(state()).toBe('ready')
      }),
    )
  })
})

describe('whose fault it is', () => {
  test.each([
    ['request_rejected', '400 {"error":"bad"}', 'request', 'http 400'],
    ['context_length_exceeded', '{"type":"invalid_request_error"}', 'request', 'context_length_exceeded'],
    ['content_rejected', '400 {"message":"inappropriate"}', 'request', 'http 400'],
    ['content_rejected', '403 {"message":"input was flagged"}', 'question', 'http 403'],
    ['upstream_rejected', '401 sk-canary', 'platform', 'http 401'],
    ['upstream_rejected', '{"type":"authentication_error"}', 'platform', 'rejected'],
    ['upstream_rate_limited', '429 busy', 'rate_limited', 'http 429'],
    ['upstream_overloaded', '529', 'rate_limited', 'http 529'],
    ['upstream_failed', '503 secret of the upstream', 'transient', 'http 503'],
    ['upstream_refused', 'ECONNREFUSED 10.0.0.1:80', 'transient', 'refused'],
    ['upstream_empty', 'finish_reason stop', 'question', 'empty'],
  ] as const)('%s: %s', (code, detail, fault, reason) => {
    const error = new UpstreamError(code, detail)
    expect([classifyFault(error), describeFailure(error)]).toEqual([fault, reason])
  })

  test('the most telling failure is told, in whatever order they came', () => {
    const busy = new UpstreamError('upstream_rate_limited', '429', { retry_after: 30 })
    const sooner = new UpstreamError('upstream_rate_limited', '429', { retry_after: 5 })
    const refused = new UpstreamError('upstream_refused', 'ECONNREFUSED')
    const slow = new UpstreamError('upstream_timeout', 'no first byte')
    fc.assert(
      fc.property(fc.shuffledSubarray([busy, sooner, refused, slow], { minLength: 4 }), (all) => {
        expect(selectMainError(all as [UpstreamError, ...UpstreamError[]])).toBe(sooner)
      }),
    )
    expect(selectMainError([refused, slow])).toBe(slow)
  })
})

describe('the rolling window', () => {
  test('gives medians and the share of answers, and forgets after fifteen minutes', () => {
    const { now, pass } = createTestHealth()
    const measures = createMetricsTracker(now)
    expect(measures.get(KEY)).toEqual({ latency_ms: null, throughput: null, uptime: null, calls: 0 })
    measures.record(KEY, { ok: true, latency_ms: 100, throughput: 40 })
    pass(10 * 60_000)
    measures.record(KEY, { ok: false, latency_ms: null, throughput: null })
    measures.record(KEY, { ok: true, latency_ms: 900, throughput: null })
    measures.record(KEY, { ok: true, latency_ms: 200, throughput: 60 })
    expect(measures.get(KEY)).toEqual({ latency_ms: 200, throughput: 60, uptime: 0.75, calls: 4 })
    pass(5 * 60_000)
    expect(measures.get(KEY)).toMatchObject({ calls: 3, uptime: 2 / 3 })
    pass(10 * 60_000)
    expect(measures.get(KEY).calls).toBe(0)
  })

  test('keeps the last hundred', () => {
    const measures = createMetricsTracker(() => 1)
    for (let nth = 0; nth < 250; nth += 1)
      measures.record(KEY, { ok: nth >= 150, latency_ms: 1, throughput: 1 })
    expect(measures.get(KEY)).toMatchObject({ calls: 100, uptime: 1 })
  })
})

test('the budget: ten at once, a tenth of the runs, and one every two seconds', () => {
  const { now, pass } = createTestHealth()
  const budget = createRetryBudget(now)
  const drain = (): number => {
    let spent = 0
    while (budget.spend()) spent += 1
    return spent
  }
  expect(drain()).toBe(10)
  for (let run = 0; run < 35; run += 1) budget.earn()
  expect(drain()).toBe(3)
  pass(4_000)
  expect(drain()).toBe(2)
  pass(3_600_000)
  expect(drain()).toBe(10)
})
