import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BackgroundCompletion } from '#contract/gateway.ts'
import { errors } from '#contract/errors.ts'
import { sweepGateway } from '#server/gateway/gateway.ts'
import { openAppProcess } from '../app-process.ts'
import { openClient } from '../client.ts'
import { expectSound } from '../ledger-soundness.ts'
import { signIn } from '../sign-in.ts'
import { openWorld } from '../world.ts'
import type { World } from '../world.ts'
import { billOf, errorOf, openCaller, question, runOf, runsOf } from './caller.ts'
import type { Caller } from './caller.ts'

let world: World
let caller: Caller
beforeAll(async () => {
  world = await openWorld()
  caller = await openCaller(world)
})
afterAll(async () => {
  await expectSound(world.db())
  await world.close()
})

const LONG = '问渠那得清如许？为有源头活水来。'.repeat(20)
const asked = { model: 'scripted-paid', messages: question('源头在哪里？'), background: true }

/** Asks in the background; the answer comes before the upstream's. */
async function begin(by = caller, body: object = asked, headers = {}): Promise<BackgroundCompletion> {
  const response = await by.post(body, { headers })
  expect(response.status).toBe(200)
  return (await response.json()) as BackgroundCompletion
}

async function look(id: string, by = caller): Promise<BackgroundCompletion> {
  const response = await by.get(`/api/v1/chat/${id}`)
  expect(response.status).toBe(200)
  return (await response.json()) as BackgroundCompletion
}

/** How it stands when it has ended. */
async function ended(id: string, by = caller): Promise<BackgroundCompletion> {
  await expect.poll(async () => (await look(id, by)).status, { timeout: 10_000 }).not.toBe('pending')
  return look(id, by)
}

test('is answered at once, goes on without its caller, and is there whole when it has ended', async () => {
  world.upstream.script('scripted-paid', { reasoning: '想', text: LONG, chars: 10, stall: 5 })
  const pending = await begin()
  expect(pending).toEqual({
    id: expect.stringMatching(/^chatcmpl-[0-9a-f-]{36}$/),
    object: 'chat.completion',
    status: 'pending',
    created: expect.any(Number),
    model: 'scripted-paid',
    choices: [],
  })
  expect(await look(pending.id)).toEqual(pending)
  world.upstream.release()
  const completed = await ended(pending.id)
  const { choices, usage, ...head } = completed as Extract<BackgroundCompletion, { usage: unknown }>
  expect(head).toEqual({ ...head, id: pending.id, created: pending.created, status: 'completed' })
  expect(choices).toEqual([
    {
      index: 0,
      message: { role: 'assistant', content: LONG, refusal: null, reasoning_content: '想' },
      logprobs: null,
      finish_reason: 'stop',
    },
  ])
  expect(await billOf(world, runOf(pending))).toMatchObject({ output_tokens: usage.completion_tokens })
  expect(await look(runOf(pending))).toEqual(completed)
})

test('is its owner’s own, whichever of their keys asks', async () => {
  world.upstream.script('scripted-paid', { text: '好' })
  const { id } = await begin()
  const sibling = await openCaller(world, {}, caller.user)
  const stranger = await openCaller(world)
  expect(await ended(id, sibling)).toMatchObject({ status: 'completed' })
  const foreign = await stranger.get(`/api/v1/chat/${id}`)
  const none = await stranger.get(`/api/v1/chat/chatcmpl-${crypto.randomUUID()}`)
  expect(await errorOf(foreign)).toEqual(await errorOf(none))
  expect(foreign.status).toBe(404)
  const stop = await stranger.post({}, { path: `/api/v1/chat/${id}/cancel` })
  expect(await errorOf(stop)).toMatchObject({ status: 404, code: 'not_found' })
  for (const path of ['x', 'chatcmpl-', `${id}0`, '%00', `${id}/x`]) {
    expect((await caller.get(`/api/v1/chat/${path}`)).status).toBe(404)
  }
})

test('a completion that was not asked for in the background is not kept', async () => {
  world.upstream.script('scripted-paid', { text: '好' })
  const { id } = await caller.complete({ ...asked, background: false })
  expect((await caller.get(`/api/v1/chat/${id}`)).status).toBe(404)
})

test('that fails tells why, and costs nothing', async () => {
  world.upstream.script('scripted-paid', { status: 500 })
  const { id } = await begin()
  expect(await ended(id)).toMatchObject({
    id,
    status: 'failed',
    choices: [],
    error: { code: 'upstream_failed', type: 'server_error', message: errors.upstream_failed.message },
  })
  expect(await billOf(world, runOf({ id }))).toBeUndefined()
})

test('that cannot be paid or carries a fault is refused like any other', async () => {
  const poor = await openCaller(world, { credit_limit: 0.5 })
  const unpaid = await poor.post({ ...asked, model: 'flat' })
  expect(await errorOf(unpaid)).toMatchObject({ status: 402, code: 'key_limit_reached' })
  expect(await runsOf(world, poor)).toEqual([])
  const streamed = await caller.post({ ...asked, stream: true })
  expect(await errorOf(streamed)).toMatchObject({ status: 400, code: 'bad_request', param: 'stream' })
})

test('can be stopped: what it said until then is paid and kept', async () => {
  world.upstream.script('scripted-paid', { text: LONG, chars: 10, stall: 5 })
  const before = world.upstream.requests.length
  const { id } = await begin()
  await expect.poll(() => world.upstream.requests.length).toBe(before + 1)
  // Let it say something first.
  await new Promise((resolve) => setTimeout(resolve, 300))
  const stopped = await (await caller.post({}, { path: `/api/v1/chat/${id}/cancel` })).json()
  expect(stopped).toMatchObject({ id, status: 'cancelled', choices: [{ message: { role: 'assistant' } }] })
  expect(LONG.startsWith(stopped.choices[0].message.content)).toBe(true)
  await expect.poll(() => world.upstream.requests.at(-1)!.aborted).toBe(true)
  expect(await billOf(world, runOf({ id }))).toBeDefined()
  expect(await look(id)).toEqual(stopped)
})

test('under an Idempotency-Key is one completion, however often it is asked for', async () => {
  world.upstream.script('scripted-paid', { text: LONG, chars: 10, stall: 5 })
  const before = world.upstream.requests.length
  const key = { 'Idempotency-Key': 'background-1' }
  const twice = await Promise.all([begin(caller, asked, key), begin(caller, asked, key)])
  expect(twice[0]).toEqual(twice[1])
  world.upstream.release()
  const completed = await ended(twice[0].id)
  expect(await begin(caller, asked, key)).toEqual(completed)
  expect(world.upstream.requests.length - before).toBe(1)
})

test('is there after a restart; one that was under way then reads as interrupted', async () => {
  world.upstream.script('scripted-paid', { text: '写完了' }, { text: LONG, chars: 10, stall: 5 })
  const first = await begin()
  const completed = await ended(first.id)
  const before = world.upstream.requests.length
  const second = await begin()
  await expect.poll(() => world.upstream.requests.length).toBe(before + 1)
  await world.restart()
  expect(await look(first.id)).toEqual(completed)
  expect(await look(second.id)).toMatchObject({ status: 'interrupted', error: { code: 'interrupted' } })
  expect(await billOf(world, runOf(second))).toBeUndefined()
})

test('is kept for 7 days', async () => {
  world.upstream.script('scripted-paid', { text: '好' })
  const [old, young] = [await begin(), await begin()]
  await ended(young.id)
  await ended(old.id)
  const age = (id: string, interval: string) =>
    world.db().execute(sql`
      UPDATE gateway_completions SET created_at = now() - ${interval}::interval WHERE run_id = ${id}`)
  await age(runOf(old), '7 days 1 second')
  await age(runOf(young), '6 days 23 hours')
  expect((await caller.get(`/api/v1/chat/${old.id}`)).status).toBe(404)
  await sweepGateway(world.db())
  expect(await look(young.id)).toMatchObject({ status: 'completed' })
  const { rows } = await world
    .db()
    .execute(sql`SELECT 1 FROM gateway_completions WHERE run_id = ${runOf(old)}`)
  expect(rows).toEqual([])
})

test('of a process that is killed ends as interrupted', { timeout: 120_000 }, async () => {
  world.upstream.script('scripted-paid', { text: LONG, chars: 10, stall: 5 })
  const app = await openAppProcess(world.upstream.url)
  try {
    await app.start()
    const user = openClient(() => app.url)
    await signIn(user, 'killed@example.com', app.data_dir)
    const program = await openCaller({ url: app.url, user: async () => user })
    const before = world.upstream.requests.length
    const { id } = await begin(program)
    await expect.poll(() => world.upstream.requests.length).toBe(before + 1)
    await app.kill()
    await app.start()
    // On PostgreSQL its process has to fall silent first.
    const status = async () => (await look(id, program)).status
    await expect.poll(status, { timeout: 60_000 }).toBe('interrupted')
    expect(await user.call('GET /api/credit/balance', {})).toEqual({ balance: 50 })
  } finally {
    await app.close()
  }
})
