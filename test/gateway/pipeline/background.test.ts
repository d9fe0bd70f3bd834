import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { ChatCompletion } from '#contract/gateway/completion-answers.ts'
import type { BackgroundCompletion } from '#contract/gateway/completion-answers.ts'
import { errors } from '#contract/errors.ts'
import { sweepGateway } from '#server/gateway/gateway.ts'
import { createAppProcess } from '../../world/app-process.ts'
import { createClient } from '../../world/client.ts'
import { signIn } from '../../world/sign-in.ts'
import { useWorld } from '../../world/use-world.ts'
import {
  createCaller,
  getBill,
  getRunId,
  readError,
  useCaller,
  userMessages,
  waitForRuns,
} from '../caller.ts'

const world = useWorld()
const caller = useCaller(world)

const LONG = '问渠那得清如许？为有源头活水来。'.repeat(20)
const asked = { model: 'scripted-paid', messages: userMessages('源头在哪里？'), background: true }

/** Asks in the background; the gateway's answer comes before the upstream's. */
async function startBackground(
  by = caller,
  body: object = asked,
  headers = {},
): Promise<BackgroundCompletion> {
  const response = await by.post(body, { headers })
  expect(response.status).toBe(200)
  return (await response.json()) as BackgroundCompletion
}

async function getBackground(id: string, by = caller): Promise<BackgroundCompletion> {
  const response = await by.get(`/api/v1/chat/${id}`)
  expect(response.status).toBe(200)
  return (await response.json()) as BackgroundCompletion
}

/** Returns the completion once it has ended. */
async function waitForBackground(id: string, by = caller): Promise<BackgroundCompletion> {
  await expect.poll(async () => (await getBackground(id, by)).status).not.toBe('pending')
  return getBackground(id, by)
}

test('is answered at once, goes on without its caller, and is there whole when it has ended', async () => {
  world.upstream.script('scripted-paid', { reasoning: '想', text: LONG, chars: 10, stall: 5 })
  const pending = await startBackground()
  expect(pending).toEqual({
    id: expect.stringMatching(/^chatcmpl-[0-9a-f-]{36}$/),
    object: 'chat.completion',
    status: 'pending',
    created: expect.any(Number),
    model: 'scripted-paid',
    choices: [],
  })
  expect(await getBackground(pending.id)).toEqual(pending)
  world.upstream.release()
  const completed = await waitForBackground(pending.id)
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
  expect(await getBill(world, getRunId(pending))).toMatchObject({ output_tokens: usage.completion_tokens })
  expect(await getBackground(getRunId(pending))).toEqual(completed)
})

test('is the own of the key that asked, not of its account', async () => {
  world.upstream.script('scripted-paid', { text: '好' })
  const { id } = await startBackground()
  const sibling = await createCaller(world, {}, caller.user)
  const stranger = await createCaller(world)
  expect(await waitForBackground(id)).toMatchObject({ status: 'completed' })
  expect((await sibling.get(`/api/v1/chat/${id}`)).status).toBe(404)
  const foreign = await stranger.get(`/api/v1/chat/${id}`)
  const none = await stranger.get(`/api/v1/chat/chatcmpl-${crypto.randomUUID()}`)
  expect(await readError(foreign)).toEqual(await readError(none))
  expect(foreign.status).toBe(404)
  const stop = await stranger.post({}, { path: `/api/v1/chat/${id}/cancel` })
  expect(await readError(stop)).toMatchObject({ status: 404, code: 'not_found' })
  for (const path of ['x', 'chatcmpl-', `${id}0`, '%00', `${id}/x`]) {
    expect((await caller.get(`/api/v1/chat/${path}`)).status).toBe(404)
  }
})

test('a completion that was not requested in the background is not stored', async () => {
  world.upstream.script('scripted-paid', { text: '好' })
  const { id } = await caller.complete({ ...asked, background: false })
  expect((await caller.get(`/api/v1/chat/${id}`)).status).toBe(404)
})

test('that fails tells why, and costs nothing', async () => {
  world.upstream.script('scripted-paid', { status: 500 })
  const { id } = await startBackground()
  expect(await waitForBackground(id)).toMatchObject({
    id,
    status: 'failed',
    choices: [],
    error: { code: 'upstream_failed', type: 'server_error', message: errors.upstream_failed.message },
  })
  expect(await getBill(world, getRunId({ id }))).toBeUndefined()
})

test('that cannot be paid or carries a fault is refused like any other', async () => {
  const poor = await createCaller(world, { credit_limit: 0.5 })
  const unpaid = await poor.post({ ...asked, model: 'flat' })
  expect(await readError(unpaid)).toMatchObject({ status: 402, code: 'key_limit_reached' })
  expect(await waitForRuns(world, poor)).toEqual([])
  const streamed = await caller.post({ ...asked, stream: true })
  expect(await readError(streamed)).toMatchObject({ status: 400, code: 'bad_request', param: 'stream' })
})

test('can be cancelled: its output until then is charged and stored', async () => {
  world.upstream.script('scripted-paid', { text: LONG, chars: 10, stall: 5 })
  const before = world.upstream.requests.length
  const { id } = await startBackground()
  await expect.poll(() => world.upstream.requests.length).toBe(before + 1)
  // A first text comes before the stop: everything until the stall was sent before this call.
  await (await createCaller(world)).complete({ ...asked, model: 'scripted' })
  const response = await caller.post({}, { path: `/api/v1/chat/${id}/cancel` })
  const stopped = (await response.json()) as ChatCompletion
  expect(stopped).toMatchObject({ id, status: 'cancelled', choices: [{ message: { role: 'assistant' } }] })
  expect(LONG.startsWith(stopped.choices[0].message.content!)).toBe(true)
  await expect.poll(() => world.upstream.requests[before]!.aborted).toBe(true)
  expect(await getBill(world, getRunId({ id }))).toBeDefined()
  expect(await getBackground(id)).toEqual(stopped)
})

test('under an Idempotency-Key is one completion, however often it is requested', async () => {
  world.upstream.script('scripted-paid', { text: LONG, chars: 10, stall: 5 })
  const before = world.upstream.requests.length
  const key = { 'Idempotency-Key': 'background-1' }
  const twice = await Promise.all([startBackground(caller, asked, key), startBackground(caller, asked, key)])
  expect(twice[0]).toEqual(twice[1])
  world.upstream.release()
  const completed = await waitForBackground(twice[0].id)
  expect(await startBackground(caller, asked, key)).toEqual(completed)
  expect(world.upstream.requests.length - before).toBe(1)
})

test('an Idempotency-Key of another key of the same account is another one', async () => {
  world.upstream.script('scripted-paid', { text: '好' })
  const sibling = await createCaller(world, {}, caller.user)
  const headers = { 'Idempotency-Key': 'shared' }
  const [own, other] = [
    await startBackground(caller, asked, headers),
    await startBackground(sibling, asked, headers),
  ]
  expect(other.id).not.toBe(own.id)
  expect((await sibling.post({ ...asked, max_tokens: 7 }, { headers })).status).toBe(422)
  const whole = { ...asked, background: false }
  const key = { headers: { 'Idempotency-Key': 'whole' } }
  const answers = [
    await caller.complete(whole, key),
    await caller.complete(whole, key),
    await sibling.complete(whole, key),
  ]
  expect(answers[1]).toEqual(answers[0])
  expect(answers[2]!.id).not.toBe(answers[0]!.id)
})

test('is there after a restart; one that was under way then reads as interrupted', async () => {
  world.upstream.script('scripted-paid', { text: '写完了' }, { text: LONG, chars: 10, stall: 5 })
  const first = await startBackground()
  const completed = await waitForBackground(first.id)
  const before = world.upstream.requests.length
  const second = await startBackground()
  await expect.poll(() => world.upstream.requests.length).toBe(before + 1)
  await world.restart()
  expect(await getBackground(first.id)).toEqual(completed)
  expect(await getBackground(second.id)).toMatchObject({
    status: 'interrupted',
    error: { code: 'interrupted' },
  })
  expect(await getBill(world, getRunId(second))).toBeUndefined()
})

test('is kept for 7 days', async () => {
  world.upstream.script('scripted-paid', { text: '好' })
  const [old, young] = [await startBackground(), await startBackground()]
  await waitForBackground(young.id)
  await waitForBackground(old.id)
  const age = (id: string, interval: string) =>
    world.db().execute(sql`
      UPDATE gateway_completions SET created_at = now() - ${interval}::interval WHERE run_id = ${id}`)
  await age(getRunId(old), '7 days 1 second')
  await age(getRunId(young), '6 days 23 hours')
  expect((await caller.get(`/api/v1/chat/${old.id}`)).status).toBe(404)
  await sweepGateway(world.db())
  expect(await getBackground(young.id)).toMatchObject({ status: 'completed' })
  const { rows } = await world
    .db()
    .execute(sql`SELECT 1 FROM gateway_completions WHERE run_id = ${getRunId(old)}`)
  expect(rows).toEqual([])
})

test('of a process that is killed ends as interrupted', { timeout: 120_000 }, async () => {
  world.upstream.script('scripted-paid', { text: LONG, chars: 10, stall: 5 })
  const app = await createAppProcess(world.upstream.url)
  try {
    await app.start()
    const user = createClient(() => app.url)
    await signIn(user, 'killed@example.com', app.data_dir)
    const program = await createCaller({ url: app.url, user: async () => user })
    const before = world.upstream.requests.length
    const { id } = await startBackground(program)
    await expect.poll(() => world.upstream.requests.length).toBe(before + 1)
    await app.kill()
    await app.start()
    // On PostgreSQL the next sweep notices.
    const status = async () => (await getBackground(id, program)).status
    await expect.poll(status, { timeout: 60_000 }).toBe('interrupted')
    expect(await user.call('GET /api/credit/balance', {})).toEqual({ balance: 50 })
  } finally {
    await app.close()
  }
})
