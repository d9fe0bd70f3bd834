import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { chatCompletionRequest } from '#contract/gateway/chat-completions.ts'
import { messageRequest, tokenCountRequest } from '#contract/gateway/messages.ts'
import { responseRequest } from '#contract/gateway/responses.ts'
import { useWorld } from '../../world/use-world.ts'
import { createCaller, userMessages } from '../caller.ts'
import type { Caller } from '../caller.ts'

// Requests of broken and hostile programs: never a server error, always the shape of the protocol.

const world = useWorld()
let caller: Caller
beforeAll(async () => {
  // The answer must not depend on the question: an empty one would be a fault of the platform.
  world.upstream.script('scripted', { text: '好' })
  caller = await createCaller(world)
})

const junk = fc.oneof(
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
  fc.constantFrom<unknown>(
    null,
    -1,
    1e308,
    '',
    '\u0000\ud800',
    [[[[[[]]]]]],
    { __proto__: 1, constructor: 1 },
    [{ type: 'text', text: '\ud800' }],
    [{ role: 'user', content: [{ type: 'image' }] }],
    [{ role: 'assistant', content: [], tool_calls: [] }],
    [{ type: 'function_call_output', call_id: '', output: '' }],
  ),
)
const user = { messages: userMessages('?'), model: 'scripted' }

test.each([
  ['chat/completions', chatCompletionRequest, user],
  ['messages', messageRequest, { ...user, max_tokens: 9 }],
  ['messages/count_tokens', tokenCountRequest, user],
  ['responses', responseRequest, { model: 'scripted', input: '?' }],
])('nonsense at %s', async (endpoint, { shape }, sound) => {
  const fields = fc.constantFrom(...Object.keys(shape), 'unknown')
  const bodies = fc.dictionary(fields, junk, { maxKeys: 3 })
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const response = await caller.post({ ...sound, ...body }, { path: `/api/v1/${endpoint}` })
      const text = await response.text()
      if (response.status === 200) return
      expect([400, 404], text).toContain(response.status)
      const answer = JSON.parse(text) as { type?: string; error: { type: string; message: string } }
      expect(answer.error.type).toMatch(/_error$/)
      expect(answer.error.message).toMatch(/\p{Script=Han}/u)
      expect(answer.type).toBe(endpoint.startsWith('messages') ? 'error' : undefined)
    }),
    { numRuns: 40 },
  )
  // The server still works.
  expect((await caller.post(sound, { path: `/api/v1/${endpoint}` })).status).toBe(200)
})

test.each([
  ['half of a surrogate pair', '\\ud83d', 400],
  ['its other half', 'x\\uDE00', 400],
  ['a whole pair', '\\ud83d\\uDE00', 200],
  ['a backslash before what looks like one', '\\\\ud83d', 200],
])('%s in a text', async (_, escaped, status) => {
  const body = `{"model":"scripted","messages":[{"role":"user","content":"${escaped}"}]}`
  expect((await caller.post(body)).status).toBe(status)
})

test('a body of 20 MB keeps nobody waiting while it is parsed', async () => {
  // Every character is an escape, so that parsing takes long. The server then refuses the contents without further work.
  const bytes = 19_900_000
  const body = Buffer.from(`{"filler":"${'\\"'.repeat((bytes - 13) / 2)}"}`)
  const order: string[] = []
  const call = request(`${world.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: caller.authorization,
      'content-type': 'application/json',
      'content-length': body.length,
    },
  })
  const parsed = once(call, 'response').then((answers) => {
    const [{ statusCode }] = answers as [IncomingMessage]
    order.push(`large ${statusCode}`)
  })
  await new Promise((resolve) => call.write(body.subarray(0, -1), resolve))
  // With each of these calls the server also reads the arrived part of the body.
  for (let nth = 0; nth < 20; nth++) expect((await caller.get('/api/v1/models')).status).toBe(200)
  call.end(body.subarray(-1))
  const other = caller.get('/api/v1/models').then(({ status }) => order.push(`other ${status}`))
  await Promise.all([parsed, other])
  expect(order).toEqual(['other 200', 'large 400'])
})
