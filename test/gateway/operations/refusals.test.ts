import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Script } from '../../world/upstream/upstream.ts'
import { createWav } from '../../world/upstream/operations.ts'
import { useOwnWorld } from '../../world/use-world.ts'
import { impatientModels } from '../../world/world.ts'
import { readError, createCaller, waitForRuns } from '../caller.ts'
import { getNewestBill, createOperationCaller, createRecording } from './operation-caller.ts'
import type { OperationCaller } from './operation-caller.ts'

const world = useOwnWorld({ models: impatientModels })
let caller: OperationCaller
beforeAll(async () => {
  caller = await createOperationCaller(world)
})

/** A valid request of each call with a JSON body. */
const GOOD = {
  '/api/v1/embeddings': { model: 'scripted-embedding', input: '源头' },
  '/api/v1/rerank': { model: 'scripted-rerank', query: '源头', documents: ['活水'] },
  '/api/v1/images/generations': { model: 'scripted-image', prompt: '半亩方塘' },
  '/api/v1/audio/speech': { model: 'scripted-tts', input: '问渠', voice: 'alloy' },
}
type Path = keyof typeof GOOD
const paths = Object.keys(GOOD) as Path[]
const countUpstreamRequests = () => world.upstream.requests.length

test.each<[Path, string, unknown]>([
  ['/api/v1/embeddings', 'input', ''],
  ['/api/v1/embeddings', 'input', []],
  ['/api/v1/embeddings', 'input', ['源头', '']],
  ['/api/v1/embeddings', 'input', Array(2049).fill('源头')],
  ['/api/v1/embeddings', 'encoding_format', 'hex'],
  ['/api/v1/rerank', 'documents', []],
  ['/api/v1/rerank', 'documents', Array(1001).fill('活水')],
  ['/api/v1/rerank', 'query', ''],
  ['/api/v1/rerank', 'top_n', 0],
  ['/api/v1/images/generations', 'n', 0],
  ['/api/v1/images/generations', 'n', 11],
  ['/api/v1/images/generations', 'batch_size', 40],
  ['/api/v1/images/generations', 'stream', true],
  ['/api/v1/audio/speech', 'input', ''],
  ['/api/v1/audio/speech', 'input', '问'.repeat(10_001)],
  ['/api/v1/audio/speech', 'speed', 9],
])('%s without a good %s is a 400 that names it', async (path, param, value) => {
  const error = await readError(await caller.post(path, { ...GOOD[path], [param]: value }))
  expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', code: 'bad_request' })
  expect(error.param?.split('.')[0]).toBe(param)
})

test('a text that the model cannot hold is a 400', async () => {
  const long = 'a'.repeat(64_000 * 8 + 1)
  for (const [path, body] of [
    ['/api/v1/embeddings', { model: 'scripted-embedding', input: ['短', long] }],
    ['/api/v1/rerank', { model: 'scripted-rerank', query: '?', documents: [long] }],
  ] as const) {
    expect(await readError(await caller.post(path, body))).toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
    })
  }
})

describe('a recording', () => {
  const upload = (file: Blob, more: Record<string, string | Blob> = {}) =>
    caller.upload({ model: 'scripted-asr', file, ...more })

  test.each([
    ['that is none', new File(['这不是录音'.repeat(500)], 'a.mp3', { type: 'audio/mpeg' })],
    ['without a length', new File([new Uint8Array(5_000)], 'a.wav')],
    ['that claims to be shorter than it is', createTruncatedRecording()],
  ])('%s is a 400 that says so', async (_, file) => {
    const error = await readError(await upload(file))
    expect(error).toMatchObject({ status: 400, code: 'audio_unreadable' })
    expect(error.message).toContain('无法读出')
  })

  test('of more than 25 MB is a 413', async () => {
    const error = await readError(await upload(new File([new Uint8Array(25_000_001)], 'a.wav')))
    expect(error).toMatchObject({ status: 413, code: 'payload_too_large' })
    const huge = await readError(await upload(new File([new Uint8Array(26_000_000)], 'a.wav')))
    expect(huge).toMatchObject({ status: 413 })
  })

  test('must be one, in a form, and here', async () => {
    const one = createRecording(1)
    for (const response of [
      await caller.upload({ model: 'scripted-asr' }),
      await caller.upload({ model: 'scripted-asr', file: 'no file' }),
      await caller.upload({ model: 'scripted-asr', file: new File([], 'a.wav') }),
      await upload(one, { other: one }),
      await upload(one, { audio_url: 'https://example.com/hours.mp3' }),
    ]) {
      expect(await readError(response)).toMatchObject({ status: 400, param: 'file' })
    }
    expect(await readError(await upload(one, { stream: 'true' }))).toMatchObject({ param: 'stream' })
    const json = await caller.post('/api/v1/audio/transcriptions', { model: 'scripted-asr' })
    expect(await readError(json)).toMatchObject({ status: 415, code: 'unsupported_media' })
    const broken = await fetch(`${world.url}/api/v1/audio/transcriptions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${caller.openai.apiKey}`,
        'content-type': 'multipart/form-data; boundary=x',
      },
      body: 'no form at all',
    })
    expect(await readError(broken)).toMatchObject({ status: 400, param: 'body' })
  })
})

test('a model does only what its type does', async () => {
  const before = countUpstreamRequests()
  for (const path of paths) {
    const error = await readError(await caller.post(path, { ...GOOD[path], model: 'scripted' }))
    expect(error).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' })
    expect(error.message).toContain('不是这个接口的模型')
    const unknown = await readError(await caller.post(path, { ...GOOD[path], model: 'no-such' }))
    expect(unknown).toMatchObject({ status: 404, code: 'model_not_found' })
  }
  const chat = { model: 'scripted-tts', messages: [{ role: 'user', content: '?' }] }
  expect((await caller.post('/api/v1/chat/completions', chat)).status).toBe(404)
  expect(countUpstreamRequests()).toBe(before)
})

test('without a key nothing is done; a key is held to its models and rates', async () => {
  const nobody = await fetch(`${world.url}/api/v1/embeddings`, { method: 'POST', body: '{}' })
  expect(nobody.status).toBe(401)
  const narrow = await createOperationCaller(world, {
    allowed_models: ['scripted-image', 'scripted-embedding'],
    requests_per_minute: 3,
  })
  const ask = (path: Path) => narrow.post(path, GOOD[path])
  expect(await readError(await ask('/api/v1/rerank'))).toMatchObject({
    status: 403,
    code: 'model_not_allowed',
  })
  expect((await ask('/api/v1/images/generations')).status).toBe(200)
  expect((await ask('/api/v1/embeddings')).status).toBe(200)
  expect(await readError(await ask('/api/v1/embeddings'))).toMatchObject({
    status: 429,
    code: 'rate_limited',
  })
  const frugal = await createOperationCaller(world, { tokens_per_minute: 10 })
  const long = { ...GOOD['/api/v1/embeddings'], input: '源头活水'.repeat(10) }
  expect((await frugal.post('/api/v1/embeddings', long)).status).toBe(200)
  expect((await frugal.post('/api/v1/embeddings', long)).status).toBe(429)
})

test.each<[string, Script, string, number]>([
  ['500', { status: 500 }, 'upstream_failed', 503],
  ['a refusal', { status: 400, body: '{"error":{"message":"bad voice"}}' }, 'request_rejected', 400],
  ['429', { status: 429, headers: { 'retry-after': '1' } }, 'upstream_rate_limited', 429],
  ['silence', { stall: 'headers' }, 'upstream_timeout', 504],
  ['an error inside a 200', { answer: { error: { code: 500 } } }, 'upstream_failed', 503],
  ['too few vectors', { answer: { data: [] } }, 'upstream_empty', 503],
  ['something else', { answer: { data: 'no list' } }, 'upstream_malformed', 503],
])('a platform that answers with %s costs nothing', async (_, script, code, status) => {
  const own = await createOperationCaller(world, {}, caller.user)
  world.upstream.script('scripted-embedding', script)
  const error = await readError(await own.post('/api/v1/embeddings', GOOD['/api/v1/embeddings']))
  expect(error).toMatchObject({ status, code })
  world.upstream.script('scripted-embedding', {})
  const reader = await createCaller(world, {}, caller.user)
  expect(await waitForRuns(world, { ...reader, key_id: own.key_id })).toMatchObject([
    { state: 'failed', code },
  ])
  expect(await getNewestBill(world, own)).toBeUndefined()
})

test('JSON in place of sound is no sound', async () => {
  world.upstream.script('tts-cheap', { json: true, answer: { message: 'voice unknown' } })
  world.upstream.script('tts-dear', { json: true, answer: { error: { code: 500 } } })
  const response = await caller.post('/api/v1/audio/speech', GOOD['/api/v1/audio/speech'])
  expect(await readError(response)).toMatchObject({ status: 503, type: 'server_error' })
  world.upstream.script('tts-cheap', {})
  world.upstream.script('tts-dear', {})
})

test('nonsense is a 4xx in Chinese that repeats nothing', { timeout: 60_000 }, async () => {
  const CANARY = 'canary5309'
  const junk = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.string({ unit: 'binary', maxLength: 100 }).map((text) => CANARY + text),
    fc.constantFrom(null, -1, 1e308, `${CANARY}\u0000`, [[[CANARY]]], { __proto__: CANARY }),
  )
  const before = countUpstreamRequests()
  const body = (path: Path) =>
    fc.oneof(
      fc
        .dictionary(fc.constantFrom(...Object.keys(GOOD[path]).filter((name) => name !== 'model')), junk, {
          minKeys: 1,
        })
        .map((values) => JSON.stringify({ model: CANARY, ...values })),
      junk.map((value) => JSON.stringify(value)),
      fc.constant('['.repeat(500)),
    )
  const sent = fc.constantFrom(...paths).chain((path) => body(path).map((text) => ({ path, text })))
  await fc.assert(
    fc.asyncProperty(sent, async ({ path, text }) => {
      const response = await caller.post(path, text)
      const answer = await response.text()
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.status).toBeLessThan(500)
      expect(answer).not.toContain(CANARY)
      expect(JSON.parse(answer).error.message).toMatch(/\p{Script=Han}/u)
    }),
    { numRuns: 40 },
  )
  expect(countUpstreamRequests()).toBe(before)
})

/** Two megabytes whose header claims a hundredth of a second, at a sample rate that no recorder uses. */
function createTruncatedRecording(): File {
  const sound = createWav(125)
  sound.writeUInt32LE(100_000_000, 24)
  sound.writeUInt32LE(200_000_000, 28)
  return new File([sound], 'a.wav', { type: 'audio/wav' })
}
