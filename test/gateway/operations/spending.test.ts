import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { createSound } from '../../world/upstream/operations.ts'
import { useOwnWorld } from '../../world/use-world.ts'
import { readError } from '../caller.ts'
import { getNewestBill, createOperationCaller, createRecording } from './operation-caller.ts'
import type { OperationCaller } from './operation-caller.ts'

const world = useOwnWorld({ capacity: { abandoned_grace_ms: 500 } })
afterEach(() => {
  for (const model of ['tts-cheap', 'tts-dear', 'scripted-image']) world.upstream.script(model, {})
})

const SPEECH = { model: 'scripted-tts', voice: 'alloy', input: '问渠那得清如许' }
const IMAGE = { model: 'scripted-image', prompt: '半亩方塘' }
const getLastRequest = () => world.upstream.requests.at(-1)!
const countUpstreamRequests = () => world.upstream.requests.length
const getRunState = async ({ key_id }: OperationCaller) => {
  const { rows } = await world
    .db()
    .execute<{ state: string }>(
      sql`SELECT state FROM runs WHERE subject_id = ${key_id} ORDER BY id DESC LIMIT 1`,
    )
  return rows[0]?.state
}

test('of 50 pictures at once on a key with a limit for 10 exactly 10 are made', async () => {
  const caller = await createOperationCaller(world, { credit_limit: 30 })
  const before = countUpstreamRequests()
  world.upstream.script('scripted-image', { delay_ms: 50 })
  const statuses = await Promise.all(
    Array.from({ length: 50 }, async () => (await caller.post('/api/v1/images/generations', IMAGE)).status),
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(10)
  expect(statuses.filter((status) => status === 402)).toHaveLength(40)
  expect(countUpstreamRequests() - before).toBe(10)
  expect(await caller.user.call('GET /api/credit/balance', {})).toEqual({ balance: 20 })
})

test('what the balance cannot pay is not begun, and never made smaller', async () => {
  const caller = await createOperationCaller(world)
  const before = countUpstreamRequests()
  // 50 coins pay for 16 pictures, 8 minutes of sound or 1,250 characters at the dearest platform.
  const many = await caller.post('/api/v1/images/generations', { ...IMAGE, n: 10 })
  expect(many.status).toBe(200)
  for (const response of [
    await caller.post('/api/v1/images/generations', { ...IMAGE, n: 7 }),
    await caller.post('/api/v1/audio/speech', { ...SPEECH, input: '问'.repeat(501) }),
    await caller.upload({ model: 'scripted-asr', file: createRecording(220) }),
  ]) {
    expect(response.headers.get('x-should-retry')).toBe('false')
    expect(await readError(response)).toMatchObject({ status: 402, code: 'insufficient_balance' })
  }
  expect(countUpstreamRequests() - before).toBe(1)
  expect((await caller.post('/api/v1/images/generations', { ...IMAGE, n: 6 })).status).toBe(200)
})

test('a picture costs what its size and quality cost, as the platform made it', async () => {
  const caller = await createOperationCaller(world)
  const draw = async (fields: object, answered: object = {}) => {
    world.upstream.script('scripted-drawing', { answer: answered })
    const body = { model: 'scripted-drawing', prompt: '半亩方塘', ...fields }
    expect((await caller.post('/api/v1/images/generations', body)).status).toBe(200)
    return Number((await getNewestBill(world, caller))!.amount) / 1e6
  }
  expect(await draw({ size: '1024x1024', quality: 'low', n: 2 })).toBe(2)
  expect(await draw({ size: '1536x1024', quality: 'low' })).toBe(10)
  // Size and quality that the platform chooses are held at the dearest price, and paid as they came.
  expect(await draw({ size: 'auto' })).toBe(10)
  expect(await draw({ size: 'auto' }, { size: '1024x1024', quality: 'high' })).toBe(5)
})

test('a picture that is priced by its tokens costs what the platform reports, and not more than it can be', async () => {
  const caller = await createOperationCaller(world)
  const body = { model: 'scripted-painting', prompt: '半亩方塘', n: 2 }
  const usage = { input_tokens: 10, output_tokens: 2_000 }
  world.upstream.script('scripted-painting', { answer: { usage } })
  expect((await caller.post('/api/v1/images/generations', body)).status).toBe(200)
  expect((await getNewestBill(world, caller))!.amount).toBe('2001000')
  world.upstream.script('scripted-painting', { answer: { usage: { ...usage, output_tokens: 1e9 } } })
  expect((await caller.post('/api/v1/images/generations', body)).status).toBe(200)
  // The platform's count is not believed: 4,160 tokens a picture.
  expect((await getNewestBill(world, caller))!.amount).toBe('8320000')
})

test('another platform speaks when the first fails, at its own price', async () => {
  const caller = await createOperationCaller(world)
  world.upstream.script('tts-cheap', { status: 500 })
  const answer = await caller.openai.audio.speech.create(SPEECH)
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(createSound(SPEECH.input))
  // 7 characters at 40,000 coins a million.
  const bill = await getNewestBill(world, caller)
  expect(bill).toMatchObject({ amount: '280000', platform: 'second', units: 7 })
  const { rows } = await world.db().execute(sql`SELECT attempts FROM runs WHERE id = ${bill!.run_id}`)
  expect(rows[0]!.attempts).toMatchObject([
    { platform: 'scripted', state: 'failed' },
    { platform: 'second', state: 'answered' },
  ])
})

/** Makes another account's whole call: by its end the app has read everything that came before its start. */
async function askForPicture(): Promise<void> {
  const other = await createOperationCaller(world)
  expect((await other.post('/api/v1/images/generations', IMAGE)).status).toBe(200)
}

describe('sound that stops in the middle', () => {
  test('at its platform is cut for the client too, and costs nothing', async () => {
    const caller = await createOperationCaller(world, { provider_sort: 'price' })
    world.upstream.script('tts-cheap', { cut: 2 })
    world.upstream.script('tts-dear', { cut: 2 })
    const answer = await caller.openai.audio.speech.create(SPEECH)
    await expect(answer.arrayBuffer()).rejects.toThrow()
    await expect.poll(() => getRunState(caller)).toBe('failed')
    expect(await getNewestBill(world, caller)).toBeUndefined()
  })

  test('because the client leaves stops its platform, and is paid', async () => {
    const caller = await createOperationCaller(world)
    for (const model of ['tts-cheap', 'tts-dear']) world.upstream.script(model, { stall: 2 })
    const gone = new AbortController()
    const answer = await caller.post('/api/v1/audio/speech', SPEECH, { signal: gone.signal })
    const reading = answer.arrayBuffer()
    gone.abort()
    await expect(reading).rejects.toThrow()
    await expect.poll(() => getLastRequest().aborted).toBe(true)
    await expect.poll(() => getRunState(caller)).toBe('cancelled')
    expect(await getNewestBill(world, caller)).toMatchObject({ units: 7 })
  })

  test('because the client takes no more holds its platform back', async () => {
    const caller = await createOperationCaller(world)
    for (const model of ['tts-cheap', 'tts-dear']) world.upstream.script(model, { sound: 60_000_000 })
    const gone = new AbortController()
    const answer = await caller.post('/api/v1/audio/speech', SPEECH, { signal: gone.signal })
    const request = getLastRequest()
    await askForPicture()
    expect(request).toMatchObject({ answered: false, aborted: false })
    gone.abort()
    await expect(answer.arrayBuffer()).rejects.toThrow()
    await expect.poll(() => request.aborted).toBe(true)
  })
})

test('a client that leaves before its picture came, and does not come again, stops it and pays nothing', async () => {
  const caller = await createOperationCaller(world)
  world.upstream.script('scripted-image', { stall: 'headers' })
  const before = countUpstreamRequests()
  const gone = new AbortController()
  const call = caller.post('/api/v1/images/generations', IMAGE, { signal: gone.signal })
  await expect.poll(countUpstreamRequests).toBe(before + 1)
  gone.abort()
  await expect(call).rejects.toThrow()
  await expect.poll(() => getLastRequest().aborted).toBe(true)
  await expect.poll(() => getRunState(caller)).toBe('cancelled')
  expect(await getNewestBill(world, caller)).toBeUndefined()
})

describe('an Idempotency-Key', () => {
  const keyed = (key: string): RequestInit => ({ headers: { 'Idempotency-Key': key } })

  test('gives the same sound for one charge, at once and after a restart', async () => {
    const caller = await createOperationCaller(world)
    const before = countUpstreamRequests()
    const ask = () => caller.post('/api/v1/audio/speech', SPEECH, keyed('s1'))
    const read = async (response: Response) => ({
      type: response.headers.get('content-type'),
      id: response.headers.get('x-transaction-id'),
      bytes: Buffer.from(await response.arrayBuffer()),
    })
    const [first, second] = await Promise.all([ask().then(read), ask().then(read)])
    await world.restart()
    const third = await read(await ask())
    expect(first).toMatchObject({ type: 'audio/mpeg', bytes: createSound(SPEECH.input) })
    expect([second, third]).toEqual([first, first])
    expect(countUpstreamRequests() - before).toBe(1)
    const { amount } = (await getNewestBill(world, caller))!
    expect(Number(amount)).toBeGreaterThan(0)
    expect(await caller.user.call('GET /api/credit/balance', {})).toEqual({
      balance: 50 - Number(amount) / 1e6,
    })
  })

  test('gives the same vectors, pictures and texts, and is refused for others', async () => {
    const caller = await createOperationCaller(world)
    const picture = () => caller.post('/api/v1/images/generations', IMAGE, keyed('i1'))
    const first = await (await picture()).json()
    expect(await (await picture()).json()).toEqual(first)
    const other = await caller.post('/api/v1/images/generations', { ...IMAGE, n: 2 }, keyed('i1'))
    expect(await readError(other)).toMatchObject({ status: 422, code: 'idempotency_mismatch' })
    const speech = await caller.post('/api/v1/audio/speech', SPEECH, keyed('i1'))
    expect(speech.status).toBe(422)

    const transcribe = (seconds: number) =>
      caller.upload({ model: 'scripted-asr', file: createRecording(seconds) }, keyed('t1'))
    const transcript = await (await transcribe(2)).json()
    const before = countUpstreamRequests()
    expect(await (await transcribe(2)).json()).toEqual(transcript)
    expect((await transcribe(3)).status).toBe(422)
    expect(countUpstreamRequests()).toBe(before)
  })

  test('remembers that something large was made, not what; the client is told not to try again', async () => {
    const caller = await createOperationCaller(world)
    world.upstream.script('tts-cheap', { sound: 9_000_000 })
    world.upstream.script('tts-dear', { sound: 9_000_000 })
    const ask = () => caller.post('/api/v1/audio/speech', SPEECH, keyed('l1'))
    expect((await (await ask()).arrayBuffer()).byteLength).toBe(9_000_000)
    const before = countUpstreamRequests()
    const again = await ask()
    expect(again.headers.get('x-should-retry')).toBe('false')
    expect(await readError(again)).toMatchObject({ status: 410, code: 'answer_not_kept' })
    expect(countUpstreamRequests()).toBe(before)
  })

  test('lets a client come back for the sound that it left, and tries anew what came to nothing', async () => {
    const caller = await createOperationCaller(world)
    for (const model of ['tts-cheap', 'tts-dear']) world.upstream.script(model, { stall: 2 })
    const gone = new AbortController()
    const left = await caller.post('/api/v1/audio/speech', SPEECH, { ...keyed('c1'), signal: gone.signal })
    const reading = left.arrayBuffer()
    gone.abort()
    await expect(reading).rejects.toThrow()
    const coming = caller.post('/api/v1/audio/speech', SPEECH, keyed('c1'))
    await askForPicture()
    world.upstream.release()
    expect(Buffer.from(await (await coming).arrayBuffer())).toEqual(createSound(SPEECH.input))
    world.upstream.script('scripted-image', { status: 500 }, {})
    const picture = () => caller.post('/api/v1/images/generations', IMAGE, keyed('c2'))
    expect((await picture()).status).toBe(503)
    expect((await picture()).status).toBe(200)
  })
})
