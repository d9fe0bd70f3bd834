import { beforeAll, expect, test } from 'vitest'
import { errors } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Client } from '../../world/client.ts'
import type { Script } from '../../world/upstream/upstream.ts'
import { useOwnWorld } from '../../world/use-world.ts'
import { scriptedModels } from '../../world/world.ts'
import {
  getBill,
  getRunId,
  readError,
  createCaller,
  userMessages,
  readStream,
  waitForRuns,
} from '../caller.ts'

// Each fault of a platform leads to a final state, a clear message, and an honest charge. Faults of single dialects are in
// test/llm/providers, the protocols' errors in test/gateway/protocols.

/** Beside the scripted models there is one whose platform is given up after 3 s of silence. */
const world = useOwnWorld({
  models({ url }) {
    const { platforms, models } = scriptedModels(url)
    const offer = { platform: 'impatient', model: 'impatient', input: 200, output: 200 }
    return JSON.stringify({
      platforms: [...platforms, { ...platforms[0]!, name: 'impatient', timeout_ms: 3_000 }],
      models: [...models, { ...models[0]!, id: 'impatient', name: 'impatient', offers: [offer] }],
    })
  },
})
let user: Client
beforeAll(async () => {
  user = await world.user()
})

const LONG = '问渠那得清如许？为有源头活水来。'.repeat(20)
const asked = { model: 'scripted-paid', messages: userMessages('?') }
/** Scripts a model and returns its id. */
function modelFor(fault: string, script: Script): string {
  const model = fault === 'silence' ? 'impatient' : 'scripted-paid'
  world.upstream.script(model, script)
  return model
}
const renderDelta = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`

/** A fault, and the error of the contract that reports it. */
const BEFORE: [string, Script, ErrorCode, number][] = [
  ['429 with Retry-After', { status: 429, headers: { 'retry-after': '7' } }, 'upstream_rate_limited', 429],
  ['529', { status: 529 }, 'upstream_overloaded', 503],
  ['500', { status: 500 }, 'upstream_failed', 503],
  ['401', { status: 401 }, 'upstream_rejected', 503],
  ['silence', { text: LONG, stall: 'headers' }, 'upstream_timeout', 504],
  ['nothing but a role', { text: '', usage: null }, 'upstream_empty', 503],
  ['no event stream at all', { raw: ['<html>\n\n'] }, 'upstream_malformed', 503],
  ['a cut before the first word', { text: LONG, cut: 1 }, 'upstream_cut', 503],
]

test.each(BEFORE)(
  'before the first word, %s is answered with its status and costs nothing, stream or not',
  async (fault, script, code, status) => {
    const caller = await createCaller(world, {}, user)
    const model = modelFor(fault, script)
    const responses = await Promise.all(
      [true, false].map((stream) => caller.post({ ...asked, model, stream })),
    )
    for (const response of responses) {
      // The platform's own value, where it gave one.
      const { 'retry-after': after = '2' } = script.headers ?? {}
      const retries = status !== 504 && code !== 'upstream_rejected'
      expect(response.headers.get('retry-after')).toBe(retries ? after : null)
      expect(response.headers.get('x-should-retry')).toBe(code === 'upstream_rejected' ? 'false' : null)
      const error = await readError(response)
      expect(error).toMatchObject({
        status,
        type: status === 429 ? 'rate_limit_error' : 'server_error',
        code,
        param: null,
      })
      expect(error.message).toBe(errors[code].message)
    }
    const runs = await waitForRuns(world, caller)
    expect(runs).toMatchObject([
      { state: 'failed', code },
      { state: 'failed', code },
    ])
    for (const { id } of runs) expect(await getBill(world, id)).toBeUndefined()
  },
)

const AFTER: [string, Script, ErrorCode][] = [
  ['a cut inside a character', { text: LONG, chars: 20, cut: 5 }, 'upstream_cut'],
  ['silence', { text: LONG, chars: 20, stall: 5 }, 'upstream_timeout'],
  ['an event that is no JSON', { raw: [renderDelta('说到一半'), 'data: {oops\n\n'] }, 'upstream_malformed'],
  [
    'an error among the events',
    { raw: [renderDelta('说到一半'), 'data: {"error":{"code":500}}\n\n'] },
    'upstream_failed',
  ],
  ['an end without [DONE]', { raw: [renderDelta('说到一半')] }, 'upstream_cut'],
]

test.each(AFTER)(
  'after the first word, %s ends a stream with an error and without [DONE], and what came is charged; whole it is an error that costs nothing',
  async (fault, script, code) => {
    const caller = await createCaller(world, {}, user)
    const model = modelFor(fault, script)
    const [response, whole] = await Promise.all(
      [true, false].map((stream) => caller.post({ ...asked, model, stream })),
    )
    expect(response!.status).toBe(200)
    const { chunks, text, done, error } = await readStream(response!)
    expect(text.length).toBeGreaterThan(0)
    expect(done).toBe(false)
    expect(error).toMatchObject({ code, message: errors[code].message })
    expect(await readError(whole!)).toMatchObject({ code, type: 'server_error' })
    const runs = await waitForRuns(world, caller)
    expect(runs).toMatchObject([
      { state: 'failed', code },
      { state: 'failed', code },
    ])
    for (const { id } of runs) {
      const bill = await getBill(world, id)
      if (id === getRunId(chunks[0]!)) expect(bill).toMatchObject({ usage_source: 'counted' })
      else expect(bill).toBeUndefined()
    }
  },
)

test.each<[string, Script]>([
  ['two [DONE]', { text: LONG, done: 2 }],
  ['no [DONE], but a reason to end', { text: LONG, done: 0 }],
  ['JSON in place of a stream', { text: LONG, json: true }],
  ['one enormous line', { text: LONG.repeat(1000), chars: 1_000_000 }],
])('%s does no harm', async (_, script) => {
  const caller = await createCaller(world, {}, user)
  world.upstream.script('scripted-paid', script)
  const { text, done } = await caller.stream(asked)
  expect(done).toBe(true)
  expect(text === script.text).toBe(true)
})

test.each([
  { prompt_tokens: -5, completion_tokens: 10 },
  { prompt_tokens: 1e12, completion_tokens: 1e12 },
  { prompt_tokens: 1, completion_tokens: 2.5 },
  // The model's context has 64,000.
  { prompt_tokens: 64_001, completion_tokens: 1 },
  { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 500 } },
])('usage that cannot be true is not believed: %j', async (usage) => {
  const caller = await createCaller(world, {}, user)
  world.upstream.script('scripted-paid', { text: '好', usage })
  const completion = await caller.complete(asked)
  expect(completion.usage.completion_tokens).toBeLessThan(10)
  const [run] = await waitForRuns(world, caller)
  expect(await getBill(world, run!.id)).toMatchObject({ usage_source: 'counted' })
})

test('another platform answers when the first fails before its first word', async () => {
  const caller = await createCaller(world, {}, user)
  world.upstream.script('twofold-cheap', { status: 500 })
  world.upstream.script('twofold-dear', { text: '由第二家回答' })
  const { text, done } = await caller.stream({ ...asked, model: 'twofold' })
  expect({ text, done }).toEqual({ text: '由第二家回答', done: true })
  // The first platform rests and the second fails: a key without automatic switch gets that error.
  world.upstream.script('twofold-cheap', { text: '由第一家回答' })
  world.upstream.script('twofold-dear', { status: 500 })
  const fixed = await createCaller(world, { auto_switch: false }, user)
  expect((await fixed.post({ ...asked, model: 'twofold' })).status).toBe(503)
})
