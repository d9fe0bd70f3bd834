import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { getBodyShape, parseCallKey } from '#contract/call.ts'
import type { Call, CallKey } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { errors } from '#contract/errors.ts'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'

/** Part of every value that is sent: no answer may repeat it. */
const CANARY = 'canary5309'
const every = Object.values(calls).flatMap((feature) => Object.entries(feature)) as [CallKey, Call][]

const world = useWorld()
let client: Client
/** Sends nothing while the others misbehave. */
let bystander: Client
beforeAll(async () => {
  client = await world.user()
  bystander = await world.user()
  world.upstream.script('scripted', { text: '原样' })
  await bystander.ask('留下的话')
})

/** Values that a broken or hostile client may send. */
const junk = fc.oneof(
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }).map((text) => CANARY + text) },
  fc.constantFrom<unknown>(
    null,
    -1,
    1e308,
    Number.MAX_SAFE_INTEGER + 2,
    '',
    `${CANARY}\u0000`,
    `${CANARY}\ud800`,
    '\u202e'.repeat(50),
    CANARY.repeat(1_000),
    [[[[[[CANARY]]]]]],
    { toString: CANARY, __proto__: CANARY, constructor: CANARY },
    `${CANARY}' OR 1=1 --`,
    '../../../etc/passwd',
    `<script>${CANARY}</script>`,
  ),
)

type InvalidRequest = { path: string; init: RequestInit }

function requestArbitrary(key: CallKey, call: Call): fc.Arbitrary<InvalidRequest> {
  const { method, path } = parseCallKey(key)
  const fields = (schema: Call['body']) => [
    ...Object.keys(schema ? getBodyShape(schema) : {}),
    'unknown',
    '__proto__',
  ]
  const record = (schema: Call['body']) =>
    fc.dictionary(fc.constantFrom(...fields(schema)), junk, { maxKeys: 6 })
  const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
  const query = record(call.query).map((values) =>
    new URLSearchParams(
      Object.entries(values).map(([name, value]): [string, string] => [name, asText(value).slice(0, 2000)]),
    ).toString(),
  )
  const filled = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    .map((text) => path.replace(/\{\w+\}/g, encodeURIComponent((CANARY + text).toWellFormed())))
  const body =
    method === 'GET'
      ? fc.constant(undefined)
      : fc.oneof(
          { weight: 5, arbitrary: record(call.body).map((value) => JSON.stringify(value)) },
          junk.map((value) => JSON.stringify(value)),
          fc.string({ maxLength: 100 }).map((text) => `{"${CANARY}${text}`),
          fc.uint8Array({ minLength: 1, maxLength: 200 }),
          fc.constant('['.repeat(1_000)),
        )
  const type = fc.constantFrom(
    'application/json',
    'application/json; charset=utf-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    '',
  )
  return fc.tuple(filled, query, body, type).map(([filledPath, search, sent, contentType]) => ({
    path: search ? `${filledPath}?${search}` : filledPath,
    init: {
      method,
      ...(sent === undefined
        ? {}
        : { body: sent as RequestInit['body'], headers: { 'Content-Type': contentType } }),
    },
  }))
}

describe('bad input', () => {
  test.each(every)(
    '%s answers it with a 4xx in Chinese that repeats nothing',
    { timeout: 60_000 },
    async (key, call) => {
      const [signedIn, stranger] = [client.cookie, world.visitor()]
      await fc.assert(
        fc.asyncProperty(requestArbitrary(key, call), fc.boolean(), async ({ path, init }, known) => {
          const browser = known ? client : stranger
          const response = await browser.fetch(path, init)
          // The junk may happen to sign out or ask a question: then it is a good request.
          client.cookie = signedIn
          const text = await response.text()
          expect(response.status).toBeLessThan(500)
          if (response.ok) return
          const answer = JSON.parse(text) as {
            message: string
            code: keyof typeof errors
            request_id: string
          }
          expect(text).not.toContain(CANARY)
          expect(answer.message).toBe(errors[answer.code].message)
          expect(answer.request_id).toMatch(/^[0-9a-f-]{36}$/)
          expect(response.headers.get('X-Request-Id')).toBe(answer.request_id)
        }),
        { numRuns: process.env.FAULTS_FULL ? 2_000 : 8 },
      )
    },
  )

  test('has lost nothing of others', async () => {
    expect((await bystander.call('GET /api/chat/sessions', {})).total).toBe(1)
    const { messages } = await bystander.call('GET /api/chat/messages', {})
    expect(messages.map(({ text }) => text)).toEqual(['留下的话', '原样'])
  })

  test.each([
    ['a body that is too large', { body: JSON.stringify({ prompt: CANARY.repeat(250_000) }) }, 413],
    ['a body of another kind', { body: 'x', headers: { 'Content-Type': 'text/csv' } }, 415],
    [
      '50,000 lists in each other',
      { body: `${'['.repeat(50_000)}"${CANARY}`, headers: { 'Content-Type': 'application/json' } },
      400,
    ],
    [
      'a text of 300,000 characters in a field of a word',
      {
        body: JSON.stringify({ prompt: 'x', model: CANARY.repeat(30_000) }),
        headers: { 'Content-Type': 'application/json' },
      },
      422,
    ],
    ['broken JSON', { body: '{"prompt":', headers: { 'Content-Type': 'application/json' } }, 400],
    [
      'broken UTF-8',
      { body: Buffer.from('{"prompt":"\xff"}', 'latin1'), headers: { 'Content-Type': 'application/json' } },
      400,
    ],
    [
      'half of a surrogate pair',
      { body: '{"prompt":"\\ud83d"}', headers: { 'Content-Type': 'application/json' } },
      400,
    ],
    ['U+0000', { body: '{"prompt":"\\u0000"}', headers: { 'Content-Type': 'application/json' } }, 400],
    [
      'a value with 300,000 others in it',
      { body: `{"z":[${'0,'.repeat(300_000)}0]}`, headers: { 'Content-Type': 'application/json' } },
      422,
    ],
    [
      'a list of 300,000 empty texts',
      {
        body: `{"prompt":"x","tools":[${'"",'.repeat(300_000)}""]}`,
        headers: { 'Content-Type': 'application/json' },
      },
      422,
    ],
    [
      'a field of the wrong kind',
      { body: '{"prompt":{}}', headers: { 'Content-Type': 'application/json' } },
      422,
    ],
  ])('%s is told apart', async (_, init, status) => {
    // The sender of all earlier requests may have reached the limit of a minute.
    const response = await bystander.fetch('/api/chat/create', { method: 'POST', ...init })
    expect(response.status).toBe(status)
    const text = await response.text()
    expect(text).not.toContain(CANARY)
    const body = JSON.parse(text) as { errors?: object }
    if (status === 422 && String(init.body).length < 20) expect(body.errors).toEqual({ prompt: '格式不正确' })
  })

  test.each([
    '/share/%00',
    '/%00',
    '/assets/%00.js',
    '/api/session/%00/messages',
    '/models/a%00',
    '/api/%00',
  ])('%s is not there', async (path) => {
    expect((await client.fetch(path)).status).toBe(404)
  })

  test.each([
    ['DELETE', '/api/chat/create', 'POST'],
    ['OPTIONS', '/api/user/chat_setting', 'GET, PUT'],
    ['POST', '/api/stats', 'GET'],
    ['PUT', '/auth/vcode', 'POST'],
    // The paths of other calls do not read as ids of these.
    ['PATCH', '/api/chat/session/fork', 'POST'],
    ['PATCH', '/api/chat/session/link', 'GET, DELETE'],
    ['PUT', '/api/chat/prompts/append', 'POST'],
  ])('%s %s has another method', async (method, path, allow) => {
    const response = await client.fetch(path, { method })
    expect([response.status, response.headers.get('Allow')]).toEqual([405, allow])
    expect(await response.json()).toMatchObject({ code: 'method_not_allowed' })
  })

  test('an unknown path of the API is a JSON 404, one of the pages a page', async () => {
    expect((await client.fetch('/api/none')).headers.get('Content-Type')).toContain('application/json')
    const page = await client.fetch('/none')
    expect([page.status, page.headers.get('Content-Type')]).toEqual([404, 'text/html; charset=UTF-8'])
  })
})
