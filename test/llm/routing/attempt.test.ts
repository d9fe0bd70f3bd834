import { expect, test } from 'vitest'
import type { ChatPart } from '#server/llm/chat.ts'
import type { Offer } from '#server/llm/catalogue/offers.ts'
import { executeAttempt } from '#server/llm/routing/attempt.ts'
import { createHealthTracker } from '#server/llm/routing/health.ts'
import { createMetricsTracker } from '#server/llm/routing/metrics.ts'
import type { Attempt } from '#server/llm/routing/plan.ts'
import { toPrices } from '#server/llm/catalogue/prices.ts'
import { getErrorCode } from '../provider-call.ts'

const offer: Offer = {
  model_id: 'm',
  platform: 'a',
  alias: 'a',
  dialect: 'local',
  base_url: '',
  api_key: '',
  model: 'm',
  cumulative: false,
  abort_stops_billing: true,
  timeouts: { connect_ms: 1, first_byte_ms: 1, idle_ms: 1, total_ms: 1 },
  prices: toPrices({ platform: 'a', model: 'm', input: 0, output: 0, per_call: 0 }, 1),
}

/** Whatever a dialect says, heard by the router. */
async function attemptWith(...said: ChatPart[]) {
  const now = () => 1
  const health = createHealthTracker({ now, random: () => 0 })
  const attempts: Attempt[] = []
  const heard: string[] = []
  const ended = executeAttempt({
    offer,
    permit: health.forceAcquire('a\nm'),
    call: async (take) => {
      for (const part of said) await take(part)
    },
    onPart: ({ type }) => void heard.push(type),
    signal: new AbortController().signal,
    now,
    health,
    measures: createMetricsTracker(now),
    onAttempt: (one) => void attempts.push(one),
  })
  try {
    return { heard, attempts, returned: getErrorCode(await ended), thrown: null }
  } catch (error) {
    return { heard, attempts, returned: null, thrown: getErrorCode(error) }
  }
}

const usage: ChatPart = { type: 'usage', usage: { input: 1, output: 1, cached: 0, reasoning: 0 } }
const finish: ChatPart = { type: 'finish', reason: 'stop' }

test('an answer that only finishes is a failure of which nothing was heard', async () => {
  const { heard, returned, attempts } = await attemptWith({ type: 'delta', text: '' }, usage, finish)
  expect([heard, returned]).toEqual([[], 'upstream_empty'])
  expect(attempts).toMatchObject([{ state: 'failed', code: 'upstream_empty', first_content_ms: null }])
})

test('an answer that never finishes is cut, whoever says it', async () => {
  const { heard, thrown, attempts } = await attemptWith({ type: 'delta', text: '甲' })
  expect([heard, thrown]).toEqual([['offer', 'delta'], 'upstream_cut'])
  expect(attempts).toMatchObject([{ state: 'cut', code: 'upstream_cut', output_tokens: 1 }])
})

test('a call of a tool is content', async () => {
  const call: ChatPart = { type: 'tool_call', index: 0, id: '1', name: 'search', arguments: '{}' }
  const { heard, returned, attempts } = await attemptWith(usage, call, finish)
  expect([heard, returned]).toEqual([['offer', 'usage', 'tool_call', 'finish'], null])
  expect(attempts).toMatchObject([{ state: 'answered', code: null, first_content_ms: 0 }])
})
