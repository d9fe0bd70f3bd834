import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { MAX_KEYS_PER_USER } from '#contract/key-groups.ts'
import { createId } from '#server/core/ids.ts'
import { createLog } from '#server/core/log.ts'
import { createKeys } from '#server/accounts/keys/keys.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()
let owner: Client
let stranger: Client
beforeAll(async () => {
  owner = await world.user()
  stranger = await world.user()
})

const createKey = (client: Client, body: object = {}) =>
  client.call('POST /api/api_keys', { body: { name: '测试', ...body } })
const listKeys = async (client: Client) => (await client.call('GET /api/api_keys', {})).items
const authenticate = (token: string) =>
  createKeys({ db: world.db(), log: createLog('silent') }).authenticate(token)
const getErrorCode = (reason: unknown) => (reason as { code: string }).code

/** Returns every row of the tables of keys, as text. */
async function dumpDatabase(): Promise<string> {
  const { rows } = await world.db().execute(sql`
    SELECT row_to_json(k)::text AS row FROM api_keys k UNION ALL SELECT row_to_json(p)::text FROM provision_keys p
    UNION ALL SELECT row_to_json(a)::text FROM key_audit a`)
  return JSON.stringify(rows)
}

describe('an API key', () => {
  test('is there for a new account', async () => {
    const [key] = await listKeys(await world.user())
    expect(key).toMatchObject({ name: '默认密钥', status: true, expired: false, raw_value: null })
  })

  test('has the fields of the specification, and its defaults', async () => {
    const key = await createKey(owner)
    expect(key).toMatchObject({
      name: '测试',
      group: { name: 'balance', alias: '均衡' },
      provider_sort: 'default',
      auto_switch: true,
      credit_limit: 0,
      credit_used: 0,
      expired_at: null,
      expired: false,
      status: true,
      last_used_at: null,
      allowed_models: null,
      allowed_addresses: null,
      requests_per_minute: null,
      tokens_per_minute: null,
    })
    const [newest] = await listKeys(owner)
    expect(newest).toEqual({ ...key, raw_value: null })
  })

  test('is shown once and kept only as its hash', async () => {
    const key = await createKey(owner)
    expect(key.raw_value).toMatch(/^sk-wq-[0-9A-Za-z]{49}$/)
    expect(key.value).toBe(`${key.raw_value!.slice(0, 10)}…${key.raw_value!.slice(-4)}`)
    expect(await dumpDatabase()).not.toContain(key.raw_value!.slice(0, 20))
    expect(await dumpDatabase()).not.toContain(key.raw_value!.slice(-20))
  })

  test('changes only in what is given', async () => {
    const { uuid } = await createKey(owner, { credit_limit: 5, group: 'ha', allowed_models: ['flat'] })
    const changed = await owner.call('PUT /api/api_keys/{id}', {
      params: { id: uuid },
      body: {
        name: '改名',
        credit_limit: 2.5,
        expired_at: '2099-01-31',
        allowed_addresses: ['10.0.0.0/8', '::1'],
      },
    })
    expect(changed).toMatchObject({
      name: '改名',
      credit_limit: 2.5,
      group: { name: 'ha' },
      allowed_models: ['flat'],
      allowed_addresses: ['10.0.0.0/8', '::1'],
      // The end of that day in China.
      expired_at: '2099-01-31T16:00:00.000Z',
    })
    const cleared = await owner.call('PUT /api/api_keys/{id}', {
      params: { id: uuid },
      body: { expired_at: '', credit_limit: 0 },
    })
    expect(cleared).toMatchObject({ name: '改名', expired_at: null, credit_limit: 0 })
  })

  test.each([
    ['a negative limit', { credit_limit: -1 }],
    ['a limit too small to be kept', { credit_limit: 0.000_000_1 }],
    ['an unknown group', { group: 'best' }],
    ['a moment that has passed', { expired_at: '2020-01-01' }],
    ['a day that is none', { expired_at: '2099-02-30' }],
    ['a year out of range', { expired_at: '0000-01-01' }],
    ['an address that is none', { allowed_addresses: ['10.0.0.0/99'] }],
    ['an empty name', { name: ' ' }],
    ['no request a minute', { requests_per_minute: 0 }],
  ])('is refused with %s', async (_, body) => {
    expect((await expectCallError(createKey(owner, body))).status).toBe(422)
  })

  test('of somebody else answers like one that does not exist', async () => {
    const { uuid } = await createKey(owner)
    const before = await listKeys(owner)
    for (const id of [uuid, createId()]) {
      const params = { id }
      const calls = [
        stranger.call('PUT /api/api_keys/{id}', { params, body: { name: '我的' } }),
        stranger.call('PATCH /api/api_keys/{id}/status', { params, body: { status: false } }),
        stranger.call('POST /api/api_keys/{id}/rotate', { params }),
        stranger.call('GET /api/api_keys/{id}/usage', { params }),
        stranger.call('DELETE /api/api_keys/{id}', { params }),
      ]
      const codes = (await Promise.all(calls.map(expectCallError))).map(({ body }) => body.code)
      expect(codes).toEqual(calls.map(() => 'not_found'))
    }
    expect(await listKeys(owner)).toEqual(before)
    expect((await listKeys(stranger)).map(({ name }) => name)).toEqual(['默认密钥'])
  })

  test('is for accounts only', async () => {
    expect((await expectCallError(createKey(world.visitor()))).status).toBe(401)
  })

  test('can be made as often as an account may, however many are asked for at once', async () => {
    const client = await world.user()
    for (let made = 1; made < MAX_KEYS_PER_USER - 10; made++) await createKey(client)
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => createKey(client)))
    const codes = outcomes.map((outcome) =>
      outcome.status === 'rejected' ? getErrorCode(outcome.reason.body) : 'made',
    )
    expect(codes.filter((code) => code === 'made')).toHaveLength(10)
    expect(codes.filter((code) => code === 'key_count')).toHaveLength(40)
    expect(await listKeys(client)).toHaveLength(MAX_KEYS_PER_USER)
  })
})

describe('authentication', () => {
  test('knows a key by its value', async () => {
    const key = await createKey(owner, { group: 'lowcost', requests_per_minute: 7, allowed_models: ['flat'] })
    expect(await authenticate(key.raw_value!)).toMatchObject({
      id: key.uuid,
      name: '测试',
      strategy: 'lowcost',
      requests_per_minute: 7,
      allowed_models: ['flat'],
      budgets: [key.uuid],
    })
  })

  test('notes the use', async () => {
    const key = await createKey(owner)
    await authenticate(key.raw_value!)
    const used = async () => (await listKeys(owner)).find(({ uuid }) => uuid === key.uuid)!.last_used_at
    await expect.poll(used).not.toBeNull()
  })

  test('knows nothing of other texts', async () => {
    const { raw_value } = await createKey(owner)
    const typo = raw_value!.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
    for (const token of [
      '',
      'sk-wq-',
      typo,
      raw_value!.replace('sk', 'pk'),
      `${raw_value}a`,
      `${raw_value} `,
    ]) {
      expect(await authenticate(token)).toBeNull()
    }
  })

  test('refuses a key that was disabled, has expired, was rotated or deleted, from the next call on', async () => {
    const { uuid, raw_value } = await createKey(owner)
    const token = raw_value!
    const params = { id: uuid }
    await owner.call('PATCH /api/api_keys/{id}/status', { params, body: { status: false } })
    expect(getErrorCode(await authenticate(token).catch((reason: unknown) => reason))).toBe('key_disabled')
    await owner.call('PATCH /api/api_keys/{id}/status', { params, body: { status: true } })
    expect(await authenticate(token)).not.toBeNull()
    await owner.call('PUT /api/api_keys/{id}', { params, body: { expired_at: '2020-01-01' } })
    expect(getErrorCode(await authenticate(token).catch((reason: unknown) => reason))).toBe('key_expired')
    await owner.call('PUT /api/api_keys/{id}', { params, body: { expired_at: null } })
    const rotated = await owner.call('POST /api/api_keys/{id}/rotate', { params })
    expect(await authenticate(token)).toBeNull()
    expect(await authenticate(rotated.raw_value!)).not.toBeNull()
    await owner.call('DELETE /api/api_keys/{id}', { params })
    expect(await authenticate(rotated.raw_value!)).toBeNull()
    expect((await listKeys(owner)).map((key) => key.uuid)).not.toContain(uuid)
  })
})
