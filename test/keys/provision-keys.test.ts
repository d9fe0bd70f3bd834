import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseCallKey } from '#contract/call.ts'
import type { Call, CallKey } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { createId } from '#server/core/ids.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()
let owner: Client
beforeAll(async () => {
  owner = await world.user()
})

type Caps = Record<string, unknown>
const createProvisionKey = (caps: Caps = {}, client = owner) =>
  client.call('POST /api/provision_keys', { body: { name: '系统', ...caps } })

/** Makes calls as a program does: with a Bearer token, without a cookie and X-Requested-With. */
async function callWithToken(token: string, method: string, path: string, body?: object) {
  const response = await fetch(world.url + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  return { status: response.status, body: text ? JSON.parse(text) : null }
}
const createKey = (token: string, body: object = {}) =>
  callWithToken(token, 'POST', '/api/api_keys', { name: '由程序创建', ...body })
const addDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

describe('a provision key', () => {
  test('manages the API keys of its owner', async () => {
    const { raw_value, uuid } = await createProvisionKey()
    const made = await createKey(raw_value!)
    expect(made).toMatchObject({ status: 200, body: { provision_key: uuid } })
    const path = `/api/api_keys/${made.body.uuid}`
    expect((await callWithToken(raw_value!, 'PUT', path, { name: '改名' })).body.name).toBe('改名')
    expect((await callWithToken(raw_value!, 'PATCH', `${path}/status`, { status: false })).body.status).toBe(
      false,
    )
    expect((await callWithToken(raw_value!, 'GET', '/api/api_keys')).body.items[0]).toMatchObject({
      name: '改名',
    })
    expect((await callWithToken(raw_value!, 'GET', `${path}/usage`)).body.models).toEqual([])
    expect((await callWithToken(raw_value!, 'DELETE', path)).status).toBe(204)
    expect((await callWithToken(raw_value!, 'DELETE', path)).status).toBe(404)
  })

  test('reaches only the keys that it made itself', async () => {
    const [own, other] = [await createProvisionKey(), await createProvisionKey()]
    const made = (await createKey(own.raw_value!)).body
    const byOwner = await owner.call('POST /api/api_keys', { body: { name: '主人的' } })
    const listed = await callWithToken(own.raw_value!, 'GET', '/api/api_keys')
    expect(listed.body).toMatchObject({ total: 1, items: [{ uuid: made.uuid }] })
    for (const [token, id] of [
      [own.raw_value!, byOwner.uuid],
      [other.raw_value!, made.uuid],
    ] as const) {
      const path = `/api/api_keys/${id}`
      for (const answer of [
        await callWithToken(token, 'PUT', path, { name: 'x' }),
        await callWithToken(token, 'PATCH', `${path}/status`, { status: false }),
        await callWithToken(token, 'POST', `${path}/rotate`),
        await callWithToken(token, 'GET', `${path}/usage`),
        await callWithToken(token, 'DELETE', path),
      ]) {
        expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
      }
    }
    const names = (await owner.call('GET /api/api_keys', {})).items.map(({ name, status }) => [name, status])
    expect(names).toEqual(
      expect.arrayContaining([
        ['主人的', true],
        ['由程序创建', true],
      ]),
    )
  })

  test('reaches nothing of other accounts', async () => {
    const stranger = await world.user()
    const [foreign] = (await stranger.call('GET /api/api_keys', {})).items
    const { raw_value, uuid } = await createProvisionKey()
    for (const id of [foreign!.uuid, createId()]) {
      const path = `/api/api_keys/${id}`
      expect((await callWithToken(raw_value!, 'PUT', path, { name: 'x' })).body.code).toBe('not_found')
      expect((await callWithToken(raw_value!, 'DELETE', path)).body.code).toBe('not_found')
    }
    for (const id of [uuid, createId()]) {
      const params = { id }
      const calls = [
        stranger.call('PUT /api/provision_keys/{id}', { params, body: {} }),
        stranger.call('PUT /api/provision_keys/{id}', { params, body: { name: 'x' } }),
        stranger.call('PATCH /api/provision_keys/{id}/status', { params, body: { status: false } }),
        stranger.call('DELETE /api/provision_keys/{id}', { params }),
      ]
      const codes = (await Promise.all(calls.map(expectCallError))).map(({ body }) => body.code)
      expect(codes).toEqual(calls.map(() => 'not_found'))
    }
    expect((await callWithToken(raw_value!, 'GET', '/api/api_keys')).status).toBe(200)
  })

  test('does nothing but that', async () => {
    const { raw_value } = await createProvisionKey()
    for (const path of ['/api/provision_keys', '/api/user/info']) {
      expect((await callWithToken(raw_value!, 'GET', path)).status).toBe(401)
    }
    expect((await callWithToken(raw_value!, 'POST', '/api/provision_keys', { name: 'x' })).status).toBe(401)
  })

  test('is let in by exactly the calls that say so', async () => {
    const { raw_value } = await createProvisionKey()
    const every = Object.values(calls).flatMap((feature) => Object.entries(feature)) as [CallKey, Call][]
    const forUsers = every.filter(([, { auth }]) => auth === 'user')
    for (const [key, call] of forUsers) {
      const { method, path } = parseCallKey(key)
      const { status } = await callWithToken(raw_value!, method, path.replace(/\{\w+\}/g, createId()))
      if (call.bearer) expect(status, key).not.toBe(401)
      else expect(status, key).toBe(401)
    }
    expect(forUsers.filter(([, { bearer: program }]) => program)).not.toHaveLength(0)
  })

  test('is refused when it is unknown, an API key, disabled or deleted, also beside a cookie', async () => {
    const { raw_value, uuid } = await createProvisionKey()
    const apiKey = await owner.call('POST /api/api_keys', { body: { name: 'x' } })
    const answer = async (token: string) => {
      const response = await owner.fetch('/api/api_keys', { headers: { Authorization: `Bearer ${token}` } })
      return ((await response.json()) as { code?: string }).code
    }
    expect(await answer('')).toBe('key_invalid')
    expect(await answer(apiKey.raw_value!)).toBe('key_invalid')
    await owner.call('PATCH /api/provision_keys/{id}/status', {
      params: { id: uuid },
      body: { status: false },
    })
    expect(await answer(raw_value!)).toBe('key_disabled')
    await owner.call('DELETE /api/provision_keys/{id}', { params: { id: uuid } })
    expect(await answer(raw_value!)).toBe('key_invalid')
  })

  test('is kept only as its hash', async () => {
    const { raw_value } = await createProvisionKey()
    expect(raw_value).toMatch(/^pk-wq-[0-9A-Za-z]{49}$/)
    const { rows } = await world.db().execute(sql`SELECT row_to_json(p)::text AS row FROM provision_keys p`)
    expect(JSON.stringify(rows)).not.toContain(raw_value!.slice(0, 20))
    expect((await owner.call('GET /api/provision_keys', {})).items[0]!.raw_value).toBeNull()
  })
})

describe('caps', () => {
  const within = { credit_limit: 10, expired_at: '', allowed_models: ['flat'], group: 'lowcost' }
  test.each([
    ['max_credit_limit', 10, 'credit_limit', [0, 10.01], [10, 0.01]],
    ['max_days', 30, 'expired_at', ['', addDays(31)], [addDays(29)]],
    ['allowed_groups', ['lowcost', 'none'], 'group', ['ha'], ['none']],
    ['allowed_models', ['flat', 'twofold'], 'allowed_models', [null, ['flat', 'scripted']], [['twofold']]],
  ])(
    '%s bounds what a key gets when it is made and when it is changed',
    async (cap, limit, field, beyond, good) => {
      const { raw_value } = await createProvisionKey({ [cap]: limit })
      for (const value of beyond) {
        const answer = await createKey(raw_value!, { ...within, [field]: value })
        expect(answer).toMatchObject({ status: 403, body: { code: 'provision_cap' } })
        expect(Object.keys(answer.body.errors)).toEqual([field])
      }
      for (const value of good) {
        const made = await createKey(raw_value!, { ...within, [field]: value })
        expect(made.status).toBe(200)
        const path = `/api/api_keys/${made.body.uuid}`
        for (const more of beyond) {
          expect((await callWithToken(raw_value!, 'PUT', path, { [field]: more })).status).toBe(403)
        }
        expect((await callWithToken(raw_value!, 'GET', '/api/api_keys')).body.items[0][field]).toEqual(
          made.body[field],
        )
      }
    },
  )

  test('a key beyond them can be taken away, not given back', async () => {
    const { raw_value } = await createProvisionKey({ max_credit_limit: 10 })
    const { uuid: id } = (await createKey(raw_value!, { credit_limit: 10 })).body
    await owner.call('PUT /api/api_keys/{id}', { params: { id }, body: { credit_limit: 0 } })
    const path = `/api/api_keys/${id}`
    expect((await callWithToken(raw_value!, 'PATCH', `${path}/status`, { status: false })).status).toBe(200)
    expect((await callWithToken(raw_value!, 'PATCH', `${path}/status`, { status: true })).status).toBe(403)
    expect((await callWithToken(raw_value!, 'POST', `${path}/rotate`)).status).toBe(403)
    expect((await callWithToken(raw_value!, 'DELETE', path)).status).toBe(204)
  })

  test('max_keys holds however many are asked for at once, and frees a place with a deletion', async () => {
    const { raw_value, uuid } = await createProvisionKey({ max_keys: 7 })
    const answers = await Promise.all(Array.from({ length: 50 }, () => createKey(raw_value!)))
    const made = answers.filter(({ status }) => status === 200)
    expect(made).toHaveLength(7)
    expect(answers.filter(({ body }) => body.code === 'provision_cap')).toHaveLength(43)
    const [key] = (await owner.call('GET /api/provision_keys', {})).items
    expect(key).toMatchObject({ uuid, keys: 7, max_keys: 7 })
    await callWithToken(raw_value!, 'DELETE', `/api/api_keys/${made[0]!.body.uuid}`)
    expect((await createKey(raw_value!)).status).toBe(200)
  })

  test('total_credit_limit bounds all keys together, also those that came after deleted ones', async () => {
    const client = await world.user()
    const { raw_value, uuid } = await createProvisionKey({ total_credit_limit: 3 }, client)
    world.upstream.script('flat', { text: '好' })
    // One coin a call.
    const spend = async (key: { raw_value: string }): Promise<number> => {
      const response = await fetch(`${world.url}/api/v1/chat/completions`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key.raw_value}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ model: 'flat', messages: [{ role: 'user', content: '?' }] }),
      })
      await response.text()
      return response.status
    }
    const keys = [(await createKey(raw_value!)).body, (await createKey(raw_value!)).body]
    expect([await spend(keys[0]), await spend(keys[1])]).toEqual([200, 200])
    for (const { uuid: id } of keys) await callWithToken(raw_value!, 'DELETE', `/api/api_keys/${id}`)
    const again = (await createKey(raw_value!)).body
    const statuses = await Promise.all(Array.from({ length: 5 }, () => spend(again)))
    expect(statuses.sort((a, b) => a - b)).toEqual([200, 402, 402, 402, 402])
    const { items } = await client.call('GET /api/provision_keys', {})
    expect(items[0]).toMatchObject({ total_credit_limit: 3, total_credit_used: 3 })
    const change = { params: { id: uuid }, body: { total_credit_limit: 4 } }
    expect(await client.call('PUT /api/provision_keys/{id}', change)).toMatchObject({ total_credit_limit: 4 })
    expect([await spend(again), await spend(again)]).toEqual([200, 402])
  })

  test('a change of them counts for the calls that come after it', async () => {
    const { raw_value, uuid } = await createProvisionKey()
    await createKey(raw_value!)
    await owner.call('PUT /api/provision_keys/{id}', { params: { id: uuid }, body: { max_keys: 1 } })
    expect((await createKey(raw_value!)).body.code).toBe('provision_cap')
  })
})

test('every act is on record, with who did it and without any key', async () => {
  const client = await world.user()
  const { raw_value, uuid } = await createProvisionKey({ max_keys: 5 }, client)
  const made = await createKey(raw_value!, { credit_limit: 3 })
  await callWithToken(raw_value!, 'PATCH', `/api/api_keys/${made.body.uuid}/status`, { status: false })
  await client.call('DELETE /api/api_keys/{id}', { params: { id: made.body.uuid } })
  await client.call('DELETE /api/provision_keys/{id}', { params: { id: uuid } })
  const { rows } = await world.db().execute(sql`
    SELECT actor, act, api_key_id, provision_key_id, changes FROM key_audit
    WHERE user_id = (SELECT user_id FROM provision_keys WHERE id = ${uuid}) ORDER BY id`)
  const id = made.body.uuid
  expect(rows.slice(1)).toMatchObject([
    { actor: 'user', act: 'create', api_key_id: null, provision_key_id: uuid, changes: { max_keys: 5 } },
    {
      actor: 'provision_key',
      act: 'create',
      api_key_id: id,
      provision_key_id: uuid,
      changes: { credit_limit: 3 },
    },
    { actor: 'provision_key', act: 'disable', api_key_id: id, provision_key_id: uuid },
    { actor: 'user', act: 'delete', api_key_id: id, provision_key_id: null },
    { actor: 'user', act: 'delete', api_key_id: null, provision_key_id: uuid },
  ])
  expect(rows[0]).toMatchObject({ actor: 'system', act: 'create' })
})
