import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { errors } from '#contract/errors.ts'
import type { AnthropicError } from '#contract/gateway/errors.ts'
import type { Script } from '../../world/upstream/upstream.ts'
import { useOwnWorld } from '../../world/use-world.ts'
import { createCaller, readError, readStream, useCaller, userMessages, waitForRuns } from '../caller.ts'

// A platform's refusal because of the request comes back as such, in the platform's words; one about our account does not.

const MODEL = 'script'
const asked = { model: MODEL, messages: userMessages('?') }
const MESSAGES = { path: '/api/v1/messages' }
const RESPONSES = { path: '/api/v1/responses' }
const refusal = (status: number, error: object | string): Script => ({
  status,
  body: typeof error === 'string' ? error : JSON.stringify({ error }),
})

/** A platform rests after such an answer: each has a model of its own. */
const HOUSES: [string, Script][] = [
  [
    'an empty account at OpenAI',
    refusal(429, { code: 'insufficient_quota', message: 'You exceeded your quota' }),
  ],
  ['an empty account at Bailian', refusal(400, { code: 'Arrearage', message: 'Access denied' })],
  ['an empty account at Anthropic', refusal(400, { message: 'Your credit balance is too low to access' })],
  ['a bad key at Google', refusal(400, { code: 400, message: 'API key not valid. Please pass a valid one' })],
  ['an unknown model', refusal(400, { message: 'Model Not Exist', type: 'invalid_request_error' })],
  ['an address that is wrong', refusal(404, '404 page not found')],
  ['a missing payment', refusal(402, { message: 'Insufficient Balance' })],
]
const names = [MODEL, 'busy', ...HOUSES.map(([name]) => name)]
const world = useOwnWorld({ models: (upstream) => upstream.renderModelsFile(...names.map((id) => ({ id }))) })
const caller = useCaller(world)

/** The case, the platform's answer, and the client's error: status, code, param, and a part of the message. */
const REFUSALS: [string, Script, number, string, string | null, RegExp][] = [
  [
    'OpenAI, of an invalid value',
    refusal(400, {
      message: "Invalid value: 'x'. Supported values are: 'low', 'high'.",
      type: 'invalid_request_error',
      param: 'reasoning_effort',
      code: 'invalid_value',
    }),
    400,
    'invalid_value',
    'reasoning_effort',
    /Supported values/,
  ],
  [
    'DeepSeek, of a context',
    refusal(400, {
      message: "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens.",
      type: 'invalid_request_error',
      code: 'invalid_request_error',
    }),
    400,
    'context_length_exceeded',
    null,
    /maximum context length is 65536/,
  ],
  [
    'Anthropic, of a context',
    refusal(400, {
      type: 'invalid_request_error',
      message: 'prompt is too long: 200001 tokens > 199999 maximum',
    }),
    400,
    'context_length_exceeded',
    null,
    /^prompt is too long: 200001/,
  ],
  [
    'Google, of a context',
    refusal(400, {
      code: 400,
      status: 'INVALID_ARGUMENT',
      message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    }),
    400,
    'context_length_exceeded',
    null,
    /1200000/,
  ],
  [
    'Bailian, of the content',
    refusal(400, {
      code: 'data_inspection_failed',
      type: 'data_inspection_failed',
      message: 'Input data may contain inappropriate content.',
    }),
    400,
    'data_inspection_failed',
    null,
    /inappropriate content/,
  ],
  [
    'Zhipu, with a number',
    refusal(400, { code: '1210', message: 'API 调用参数有误' }),
    400,
    '1210',
    null,
    /参数有误/,
  ],
  [
    'a relay, of the content',
    refusal(403, { code: 403, message: 'Your input was flagged' }),
    400,
    'content_rejected',
    null,
    /flagged/,
  ],
  [
    'a picture that is not there',
    refusal(404, { message: 'No such file', code: 'file_missing', param: 'file_id' }),
    404,
    'file_missing',
    'file_id',
    /No such file/,
  ],
  [
    'a body that is too large',
    refusal(413, { type: 'request_too_large', message: 'Request exceeds the maximum size' }),
    413,
    'request_rejected',
    null,
    /maximum size/,
  ],
  [
    'FastAPI, of an unknown field',
    refusal(
      422,
      JSON.stringify({ detail: [{ loc: ['body', 'tools', 0], msg: 'Extra inputs are not permitted' }] }),
    ),
    422,
    'request_rejected',
    'tools.0',
    /Extra inputs/,
  ],
  [
    'a plain text',
    refusal(400, 'Failed to parse the request'),
    400,
    'request_rejected',
    null,
    /Failed to parse/,
  ],
  ['a web page', refusal(400, '<html>400 nginx</html>'), 400, 'request_rejected', null, /^模型服务不接受/],
]

test.each(REFUSALS)(
  'a refusal of %s is told in the words of the platform, and not to be tried again',
  async (_, script, status, code, param, words) => {
    world.upstream.script(MODEL, script)
    const before = world.upstream.requests.length
    const response = await caller.post(asked)
    expect(response.headers.get('x-should-retry')).toBe('false')
    expect(response.headers.get('retry-after')).toBeNull()
    const error = await readError(response)
    expect(error).toMatchObject({ status, type: 'invalid_request_error', code, param })
    expect(error.message).toMatch(words)
    // The gateway tried neither another platform nor this one again.
    expect(world.upstream.requests.length - before).toBe(1)
  },
)

/** Refusals that one of the protocols writes in a way of its own. */
const AT_EACH_DOOR = [
  ['a value', REFUSALS[0]!, 'invalid_request_error'],
  ['a context', REFUSALS[1]!, 'invalid_request_error'],
  ['what is not there', REFUSALS.find(([, , status]) => status === 404)!, 'not_found_error'],
  ['a size', REFUSALS.find(([, , status]) => status === 413)!, 'request_too_large'],
] as const

test.each(AT_EACH_DOOR)(
  'a refusal of %s is told at each door in its own shape, stream or not',
  async (_, [, script, status, code, param, words], typeOfMessages) => {
    world.upstream.script(MODEL, script)
    const before = world.upstream.requests.length
    for (const stream of [false, true]) {
      for (const [path, body] of [
        ['/api/v1/chat/completions', asked],
        ['/api/v1/responses', { model: MODEL, input: '?' }],
      ] as const) {
        const response = await caller.post({ ...body, stream }, { path })
        expect(response.headers.get('x-should-retry')).toBe('false')
        const error = await readError(response)
        expect(error).toMatchObject({ status, type: 'invalid_request_error', code, param })
        expect(error.message).toMatch(words)
      }
      const response = await caller.post({ ...asked, max_tokens: 9, stream }, MESSAGES)
      expect(response.status).toBe(status)
      const { type, error, request_id } = (await response.json()) as AnthropicError
      expect({ type, of: error.type }).toEqual({ type: 'error', of: typeOfMessages })
      expect(request_id).toMatch(/^[0-9a-f-]{36}$/)
      if (code === 'context_length_exceeded') expect(error.message).toMatch(/^prompt is too long: /)
      else expect(error.message).toMatch(words)
    }
    expect(world.upstream.requests.length - before).toBe(6)
  },
)

test("the clients' own classes are thrown, at once", async () => {
  world.upstream.script(
    MODEL,
    refusal(400, { message: 'maximum context length is 9', code: 'context_length_exceeded' }),
  )
  const before = world.upstream.requests.length
  const openai = new OpenAI({ apiKey: caller.key, baseURL: `${world.url}/api/v1`, maxRetries: 2 })
  const chat = openai.chat.completions.create({ model: MODEL, messages: [{ role: 'user', content: '?' }] })
  const error: unknown = await chat.catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(OpenAI.BadRequestError)
  expect(error).toMatchObject({ code: 'context_length_exceeded', type: 'invalid_request_error' })
  const anthropic = new Anthropic({ apiKey: caller.key, baseURL: `${world.url}/api`, maxRetries: 2 })
  const message = anthropic.messages.create({
    model: MODEL,
    max_tokens: 9,
    messages: [{ role: 'user', content: '?' }],
  })
  const other: unknown = await message.catch((cause: unknown) => cause)
  expect(other).toBeInstanceOf(Anthropic.BadRequestError)
  expect(String(other)).toContain('prompt is too long')
  expect(world.upstream.requests.length - before).toBe(2)
})

test('what our own check finds too long says it in the same words', async () => {
  const messages = userMessages('a'.repeat(8192 * 8 + 1))
  expect(await readError(await caller.post({ ...asked, messages }))).toMatchObject({
    status: 400,
    code: 'context_length_exceeded',
  })
  const response = await caller.post({ ...asked, max_tokens: 9, messages }, MESSAGES)
  expect(await response.json()).toMatchObject({
    error: {
      type: 'invalid_request_error',
      message: expect.stringMatching(/^prompt is too long: /) as string,
    },
  })
})

describe("the house's own", () => {
  test.each(HOUSES)('%s is a 503 in our words', async (name, script) => {
    world.upstream.script(name, script)
    expect(await readError(await caller.post({ ...asked, model: name }))).toMatchObject({
      status: 503,
      type: 'server_error',
      code: 'upstream_rejected',
      message: errors.upstream_rejected.message,
    })
  })

  test('is not what a request repeats of it: nobody puts a platform to rest for others', async () => {
    world.upstream.script(
      MODEL,
      refusal(400, {
        message: "Invalid 'tools[0].function.name': insufficient_quota model x does not exist",
      }),
      { text: '好' },
    )
    expect((await caller.post(asked)).status).toBe(400)
    expect((await caller.post(asked)).status).toBe(200)
  })
})

test('a message tells nothing of the house and its platform, and is short', async () => {
  const secrets = [
    'sk-proj-abcDEF1234567890',
    'org-a1B2c3D4e5F6',
    'acct_1a2b3c4d5e',
    'ep-20250101-abcde',
    'https://api.platform.example/v1/chat?key=1',
    'gateway.internal:8080',
    '10.1.2.3:9000',
    'ops@platform.example',
    '0b1d5f3a-1111-2222-3333-444455556666',
    'request id: 20260101abcdef',
    'Bearer abc.def',
  ]
  const message = `Invalid messages[0].tool_call_id\u0007 at user_location: ${secrets.join(' , ')} ${'很长'.repeat(9000)}`
  world.upstream.script(MODEL, refusal(400, { message, code: 'bad_value', param: 'messages[0]' }))
  const error = await readError(await caller.post(asked))
  expect(error).toMatchObject({ status: 400, code: 'bad_value', param: 'messages[0]' })
  expect(error.message).toMatch(/^Invalid messages\[0\]\.tool_call_id at user_location: \*\*\*/)
  expect(error.message.length).toBeLessThanOrEqual(500)
  for (const secret of secrets) expect(error.message).not.toContain(secret.replace('request id: ', ''))
})

test('too many requests at a platform is a 429, and its Retry-After is passed on, a date too', async () => {
  const date = new Date(Date.now() + 30_000).toUTCString()
  world.upstream.script('busy', { status: 429, headers: { 'retry-after': date } })
  const response = await caller.post({ ...asked, model: 'busy' })
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(30)
  expect(await readError(response)).toMatchObject({ status: 429, type: 'rate_limit_error' })
})

const error = {
  message: 'Context length exceeded',
  type: 'invalid_request_error',
  code: 'context_length_exceeded',
}
const half = 'data: {"choices":[{"index":0,"delta":{"content":"说到一半"}}]}\n\n'

test('after the first word it is the last event of each stream', async () => {
  world.upstream.script(MODEL, { raw: [half, `data: ${JSON.stringify({ error })}\n\n`] })
  const chat = await readStream(await caller.post({ ...asked, stream: true }))
  expect(chat).toMatchObject({ text: '说到一半', done: false, error })
  const messages = await (await caller.post({ ...asked, max_tokens: 9, stream: true }, MESSAGES)).text()
  expect(messages.split('\n\n').at(-2)).toContain('prompt is too long: Context length exceeded')
  const responses = await (await caller.post({ model: MODEL, input: '?', stream: true }, RESPONSES)).text()
  expect(JSON.parse(responses.trim().split('data: ').at(-1)!)).toMatchObject({
    type: 'response.failed',
    response: { error: { code: 'context_length_exceeded', message: 'Context length exceeded' } },
  })
})

test('a completion in the background, and a call that waits for another one, are told the same', async () => {
  world.upstream.script(MODEL, { ...refusal(400, error), delay_ms: 500 })
  const stranger = await createCaller(world)
  const started = (await (await stranger.post({ ...asked, background: true })).json()) as { id: string }
  await waitForRuns(world, stranger)
  expect(await (await stranger.get(`/api/v1/chat/${started.id}`)).json()).toMatchObject({
    status: 'failed',
    choices: [],
    error,
  })
  const headers = { 'Idempotency-Key': 'same' }
  const answers = await Promise.all([1, 2].map(() => stranger.post(asked, { headers })))
  for (const answer of answers) expect(await readError(answer)).toMatchObject({ status: 400, ...error })
})

test('a person is told in Chinese', async () => {
  world.upstream.script(MODEL, refusal(400, error))
  const user = await world.user()
  const turn = await user.call('POST /api/chat/create', { body: { prompt: '?', model: MODEL } })
  const events = await user.fetch(`/api/chat/completions?chat_id=${turn.chat_message.chat_id}`)
  expect(await events.text()).toContain(errors.context_length_exceeded.message)
})
