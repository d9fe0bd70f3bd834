import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { gatewayCallList, getErrorShape } from '#contract/gateway/calls.ts'
import type { Handlers } from '#server/gateway/gateway.ts'
import { createRouter } from '#server/gateway/http/router.ts'
import { useWorld } from '../world/use-world.ts'
import { useCaller, userMessages } from './caller.ts'

// The calls of the gateway are data (src/contract/gateway/calls.ts): tests of everything derived from them.

const world = useWorld()
const caller = useCaller(world)

test('a call without a handler is a type error', () => {
  // @ts-expect-error the handlers of all calls are missing
  const none: Handlers = {}
  expect(none).toEqual({})
})

test('the OpenAPI document has every call with its key, its body and the errors of its protocol', async () => {
  const response = await fetch(`${world.url}/api/openapi.json`)
  type Operation = {
    summary: string
    security: object[]
    requestBody?: { content: object }
    responses: Record<string, { content: Record<string, { schema: { $ref: string } }> }>
  }
  const document = (await response.json()) as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: object; securitySchemes: object }
  }
  expect(document.components).toMatchObject({
    schemas: { OpenAiError: {}, AnthropicError: {} },
    securitySchemes: { api_key: { type: 'http', scheme: 'bearer' } },
  })
  for (const { method, path, url, call } of gatewayCallList) {
    const operation = document.paths[url]?.[method.toLowerCase()]
    expect(operation, path).toMatchObject({ summary: call.summary, security: [{ api_key: [] }] })
    expect(Object.keys(operation!.requestBody?.content ?? {})).toEqual(
      call.body ? [call.multipart ? 'multipart/form-data' : 'application/json'] : [],
    )
    const error = getErrorShape(call) === 'anthropic' ? 'AnthropicError' : 'OpenAiError'
    expect(operation!.responses['401']!.content['application/json']!.schema.$ref).toContain(error)
  }
})

test.each(gatewayCallList)(
  '$key: another method is a 405 that names the right one',
  async ({ path, url, call }) => {
    const own = gatewayCallList.filter((entry) => entry.path === path).map(({ method }) => method)
    const allowed = own.includes('GET') ? [...own, 'HEAD'] : own
    const method = own.includes('POST') ? 'PUT' : 'POST'
    const request = { method, headers: { authorization: caller.authorization } }
    const response = await fetch(world.url + url.replace(/\{\w+\}/, 'x'), request)
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe(allowed.join(', '))
    const body = (await response.json()) as { type?: string; error: { type: string } }
    expect(body.error.type).toBe('invalid_request_error')
    expect(body.type).toBe(getErrorShape(call) === 'anthropic' ? 'error' : undefined)
  },
)

describe('routes', () => {
  const match = createRouter([
    { method: 'GET', path: '/models/{model}', route: 'model' },
    { method: 'GET', path: '/chat/{id}', route: 'status' },
    { method: 'POST', path: '/chat/{id}/cancel', route: 'cancel' },
    { method: 'POST', path: '/chat/completions', route: 'chat' },
  ])

  test.each([
    ['POST', '/chat/completions', 'chat', {}],
    ['GET', '/chat/a', 'status', { id: 'a' }],
    ['POST', '/chat/a/cancel', 'cancel', { id: 'a' }],
    ['GET', '/models/a/b', 'model', { model: 'a/b' }],
  ])('%s %s', (method, path, route, params) => {
    expect(match(method, path)).toEqual({ route, params })
  })

  test('a path that is fixed is matched before one with a parameter', () => {
    expect(match('GET', '/chat/completions')).toEqual({ allow: 'POST' })
  })

  test.each(['/', '/chat', '/chat/', '/chat/a/b', '/models', '/constructor'])('%s is none', (path) => {
    expect(match('GET', path)).toBeNull()
  })
})

// The hash of an earlier version must be found for a day, so the hashed text must not change.
test.each([
  ['chat/completions', { model: 'scripted', messages: userMessages('?'), retries: 1 }],
  ['messages', { model: 'scripted', messages: userMessages('?'), max_tokens: 9 }],
  ['responses', { model: 'scripted', input: '?' }],
  ['embeddings', { model: 'scripted-embedding', input: '?' }],
])('an Idempotency-Key at /%s stands for the path and the body', async (path, body) => {
  world.upstream.script('scripted', { text: '好' })
  const key = `hash-${path}`
  await caller.post(body, { path: `/api/v1/${path}`, headers: { 'idempotency-key': key } })
  const { rows } = await world
    .db()
    .execute<{ body_hash: string }>(
      sql`SELECT body_hash FROM run_requests WHERE key = ${`gateway ${caller.key_id} ${key}`}`,
    )
  const hash = createHash('sha256')
    .update(JSON.stringify([path, body]))
    .digest('base64url')
  expect(rows).toEqual([{ body_hash: hash }])
})
