import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'

// A client that is written from the specification alone sends all fields that it names, some of them empty, as a form.

const world = useWorld()
let client: Client
beforeAll(async () => {
  client = await world.user()
})

const toForm = (fields: Record<string, string>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}
const send = async (path: string, init: RequestInit, sender = client) => {
  const response = await sender.fetch(path, init)
  const text = await response.text()
  return { status: response.status, body: text ? JSON.parse(text) : null }
}
const post = (path: string, body: FormData | URLSearchParams | string, type?: string) =>
  send(path, { method: 'POST', body, ...(type ? { headers: { 'Content-Type': type } } : {}) })
const createKey = async (fields: Record<string, string>) => (await post('/api/api_keys', toForm(fields))).body

describe('an empty field', () => {
  test('is absent: who signs in by mail leaves the phone empty, and the challenge', async () => {
    const visitor = world.visitor()
    const body = toForm({ email: 'spec@example.com', phone: '', ticket: '', rand_str: '', channel: '' })
    expect((await send('/auth/vcode', { method: 'POST', body }, visitor)).status).toBe(200)
  })

  test('is absent of a key, whose settings are then the defaults', async () => {
    const fields = {
      name: '表单',
      group: '',
      provider_sort: '',
      auto_switch: '',
      credit_limit: '',
      expired_at: '',
    }
    expect(await createKey(fields)).toMatchObject({
      name: '表单',
      group: { name: 'balance' },
      provider_sort: 'default',
      auto_switch: true,
      credit_limit: 0,
      expired_at: null,
    })
  })

  test('is said to be missing where it is required', async () => {
    const { status, body } = await post('/api/api_keys', toForm({ name: ' ' }))
    expect([status, body.errors]).toEqual([422, { name: '不能为空' }])
  })

  test('empties a text that may be empty', async () => {
    const put = (fields: object) =>
      send('/api/user/chat_setting', { method: 'PUT', body: JSON.stringify(fields) })
    await put({ self_intro: '我是' })
    expect((await put({ self_intro: null })).body.self_intro).toBe('我是')
    expect((await put({ self_intro: '' })).body.self_intro).toBe('')
  })
})

describe('a value', () => {
  test('may be text: numbers, truths, lists by words and by brackets', async () => {
    const key = await createKey({
      name: '文字',
      credit_limit: '12.34',
      auto_switch: '0',
      requests_per_minute: '60',
      allowed_models: 'scripted, thinker',
      'allowed_addresses[]': '192.0.2.1',
    })
    expect(key).toMatchObject({
      credit_limit: 12.34,
      auto_switch: false,
      requests_per_minute: 60,
      allowed_models: ['scripted', 'thinker'],
      allowed_addresses: ['192.0.2.1'],
    })
  })

  test.each(['12,34', '1e3', '0x10', '12.345', '١٢'])(
    'of money is exact: %s is refused',
    async (creditLimit) => {
      const { status, body } = await post(
        '/api/api_keys',
        toForm({ name: '金额', credit_limit: creditLimit }),
      )
      expect([status, Object.keys(body.errors)]).toEqual([422, ['credit_limit']])
    },
  )

  test.each([
    ['2099-12-31', '2099-12-31T16:00:00.000Z'],
    ['2099/12/31', '2099-12-31T16:00:00.000Z'],
    ['2099年12月31日', '2099-12-31T16:00:00.000Z'],
    ['2099-12-31 00:00:00', '2099-12-30T16:00:00.000Z'],
    ['2099-12-31T08:00', '2099-12-31T00:00:00.000Z'],
    ['2099-12-31T08:00:00+0000', '2099-12-31T08:00:00.000Z'],
    ['2099-12-31T08:00:00.500Z', '2099-12-31T08:00:00.500Z'],
  ])('may be a date as people write it: %s', async (expiredAt, expected) => {
    expect((await createKey({ name: '日期', expired_at: expiredAt })).expired_at).toBe(expected)
  })

  test('may be a resource as it was answered', async () => {
    const key = await createKey({ name: '原样', group: 'ha', expired_at: '2099-12-31' })
    const again = await send(`/api/api_keys/${key.uuid}`, { method: 'PUT', body: JSON.stringify(key) })
    expect(again).toEqual({ status: 200, body: { ...key, raw_value: null } })
    const paths = ['/api/user/info', '/api/user/chat_setting', '/api/user/notify_setting']
    for (const path of paths) {
      const { body } = await send(path, {})
      expect((await send(path, { method: 'PUT', body: JSON.stringify(body) })).status, path).toBe(200)
    }
    const { uuid } = await client.call('POST /api/agent', { body: { name: '原样' } })
    const { body: agent } = await send(`/api/agent/${uuid}`, {})
    expect(
      (await send(`/api/agent/${uuid}`, { method: 'PUT', body: JSON.stringify(agent.data) })).status,
    ).toBe(200)
    const provision = await client.call('POST /api/provision_keys', { body: { name: '原样' } })
    const path = `/api/provision_keys/${provision.uuid}`
    expect((await send(path, { method: 'PUT', body: JSON.stringify(provision) })).status).toBe(200)
  })

  test('that is none of those that are allowed is told them', async () => {
    const { body } = await post('/api/api_keys', toForm({ name: '组', group: 'cheap' }))
    expect(body.errors).toEqual({ group: '不在可选范围内，可以是：balance、lowcost、ha、none' })
  })
})

test('a body is an object of fields, in one of the kinds that are named', async () => {
  for (const body of ['[]', '"x"', '5', 'null'])
    expect(await post('/api/api_keys', body, 'application/json')).toMatchObject({
      status: 400,
      body: { code: 'bad_request' },
    })
  expect((await post('/api/api_keys', '<name/>', 'application/xml')).body.message).toContain(
    'multipart/form-data',
  )
  expect((await post('/api/api_keys', 'x', 'multipart/form-data; boundary=y')).body.code).toBe('bad_request')
  expect((await post('/api/api_keys', '{"name":"纯文本"}', 'text/plain')).body.name).toBe('纯文本')
  const file = new FormData()
  file.append('name', new Blob(['x']), '文件名')
  expect((await post('/api/api_keys', file)).body.errors).toEqual({ name: '格式不正确' })
})

test('a form of a foreign site is refused, however it is written', async () => {
  for (const body of [toForm({ name: '外站' }), new URLSearchParams({ name: '外站' }), '{"name":"外站"}']) {
    const { status } = await fetch(`${world.url}/api/api_keys`, {
      method: 'POST',
      body,
      headers: { Cookie: client.cookie },
    })
    expect(status).toBe(403)
  }
})

test('a call that switches does so without a body, and says the new state', async () => {
  const key = await createKey({ name: '开关' })
  const path = `/api/api_keys/${key.uuid}/status`
  const patch = async () => (await send(path, { method: 'PATCH' })).body.status
  expect([await patch(), await patch()]).toEqual([false, true])
  const voice = async () => (await send('/api/user/voice_reply', { method: 'PUT' })).body.voice_reply
  expect([await voice(), await voice()]).toEqual([true, false])
  const provision = await client.call('POST /api/provision_keys', { body: { name: '开关' } })
  const own = `/api/provision_keys/${provision.uuid}/status`
  expect((await send(own, { method: 'PATCH' })).body.status).toBe(false)
})

describe('a list', () => {
  test('finds nothing by a filter that it does not know', async () => {
    for (const path of [
      '/api/user/transactions?action=nothing',
      '/api/user/transactions?channel=nothing&keyId=none&source=X!&timeRange=someday',
      '/api/user/messages?channel=nothing',
      '/api/agents?tab=nothing',
      '/api/agents?category_id=999',
      '/api/blocks?channel=Nothing!',
      '/api/chat/sessions?tab=nothing',
      '/api/chat/sessions?chatbot=nothing',
      '/api/chat/sessions?folder_id=nothing',
      '/api/glossary?target_lang=nothing',
      '/api/chat/prompts?category=nothing',
    ])
      expect(await send(path, {}), path).toMatchObject({ status: 200, body: { items: [] } })
    const { body } = await send('/api/compare/scoreboard?kind=nothing', {})
    expect(body.scores).toEqual([])
  })

  test('begins at its first page where page and size are 0 or empty', async () => {
    for (const query of ['page=0&page_size=0', 'page=&page_size=', 'page=1&page_size=10'])
      expect((await send(`/api/user/transactions?${query}`, {})).body, query).toMatchObject({
        cur_page: 1,
        from: 1,
      })
  })

  test.each([
    '7',
    'week',
    '2026-01-01,2099-12-31',
    '2026-01-01 - 2099-12-31',
    '2099/12/31 ~ 2026/1/1',
    '2026-01-01 00:00:00,2099-12-31 23:59:59',
  ])('is narrowed down to the time %s', async (timeRange) => {
    const query = new URLSearchParams({ timeRange })
    expect((await send(`/api/user/transactions?${query.toString()}`, {})).body.total).toBeGreaterThan(0)
    const past = new URLSearchParams({ timeRange: '2020-01-01,2020-12-31' })
    expect((await send(`/api/user/transactions?${past.toString()}`, {})).body.total).toBe(0)
  })
})

test('members are invited by addresses between commas, blanks and lines', async () => {
  const owner = await world.user()
  const organization = await owner.call('POST /api/organization', { body: { name: '表单' } })
  const body = new URLSearchParams({ emails: 'one@example.com, two@example.com\n\nthree@example.com；' })
  const path = `/api/organization/${organization.uuid}/members/invite/`
  expect((await send(path, { method: 'POST', body }, owner)).status).toBe(200)
  const invited = await owner.call('GET /api/organization/{id}/invitations', {
    params: { id: organization.uuid },
  })
  expect(invited.items.map(({ email }) => email).toSorted()).toEqual([
    'one@example.com',
    'three@example.com',
    'two@example.com',
  ])
})

test('a slash at the end is no other address', async () => {
  const page = await client.fetch('/chat/?invite_code=x')
  expect([page.status, page.headers.get('Location')]).toEqual([308, '/chat?invite_code=x'])
  expect((await client.fetch('/')).status).toBe(200)
  expect((await client.fetch('//example.com/')).status).toBe(404)
})
