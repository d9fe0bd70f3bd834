import { expect, test } from 'vitest'
import type { StreamPart } from '#server/llm/stream-part.ts'
import type { Offer } from '#server/llm/catalogue/offers.ts'
import { executeAttempt } from '#server/llm/routing/attempt.ts'
import { createHealthTracker } from '#server/llm/routing/health.ts'
import { createMetricsTracker } from '#server/llm/routing/metrics.ts'
import type { Attempt } from '#server/llm/routing/plan.ts'
import { findFamily } from '#server/llm/catalogue/families.ts'
import { findPromptTraits } from '#server/llm/catalogue/prompt-traits.ts'
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
  fields: [],
  family: findFamily({ families: [] }, 'm'),
  promptTraits: findPromptTraits('local', 'm', {}),
  abort_stops_billing: true,
  timeouts: { connect_ms: 1, first_byte_ms: 1, idle_ms: 1, total_ms: 1 },
  prices: toPrices({ platform: 'a', model: 'm', input: 0, output: 0, per_call: 0 }, 1),
}

/** Makes an attempt on a platform that emits these parts. */
async function attemptWith(...emitted: StreamPart[]) {
  const now = () => 1
  const health = createHealthTracker({ now, random: () => 0 })
  const attempts: Attempt[] = []
  const received: string[] = []
  const ended = executeAttempt({
    offer,
    permit: health.forceAcquire('a\nm'),
    call: async (onPart) => {
      for (const part of emitted) await onPart(part)
    },
    onPart: ({ type }) => void received.push(type),
    signal: new AbortController().signal,
    now,
    health,
    metrics: createMetricsTracker(now),
    onAttempt: (one) => void attempts.push(one),
  })
  try {
    return { received, attempts, returned: getErrorCode(await ended), thrown: null }
  } catch (error) {
    return { received, attempts, returned: null, thrown: getErrorCode(error) }
  }
}

const usage: StreamPart = { type: 'usage', usage: { input: 1, output: 1, cached: 0, reasoning: 0 } }
const finish: StreamPart = { type: 'finish', reason: 'stop' }

test('an answer that only finishes is one: its platform is named, and no other is asked', async () => {
  const { received, returned, attempts } = await attemptWith({ type: 'delta', text: '' }, usage, finish)
  expect([received, returned]).toEqual([['offer', 'delta', 'usage', 'finish'], null])
  expect(attempts).toMatchObject([{ state: 'answered', code: null, first_content_ms: null }])
})

test('an answer that never finishes is cut, whichever platform sent it', async () => {
  const { received, thrown, attempts } = await attemptWith({ type: 'delta', text: '甲' })
  expect([received, thrown]).toEqual([['offer', 'delta'], 'upstream_cut'])
  expect(attempts).toMatchObject([{ state: 'cut', code: 'upstream_cut', output_tokens: 1 }])
})

test('a call of a tool is content', async () => {
  const call: StreamPart = { type: 'tool_call', index: 0, id: '1', name: 'search', arguments: '{}' }
  const { received, returned, attempts } = await attemptWith(usage, call, finish)
  expect([received, returned]).toEqual([['offer', 'usage', 'tool_call', 'finish'], null])
  expect(attempts).toMatchObject([{ state: 'answered', code: null, first_content_ms: 0 }])
})
