import { describe, expect, test } from 'vitest'
import { createId } from '#server/core/ids.ts'
import { expectCallError } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'
import { SITES, useWidgetOwner } from './widget-owner.ts'

const world = useWorld()
const owner = useWidgetOwner(world)

describe('the settings of a widget', () => {
  const params = () => ({ id: owner.agent.uuid })

  test('are off at first, and kept with the origins of the sites', async () => {
    const { uuid } = await owner.client.call('POST /api/agent', { body: { name: '新的' } })
    expect((await owner.client.call('GET /api/agent/{id}/widget', { params: { id: uuid } })).data).toEqual({
      enabled: false,
      sites: [],
      daily_limit: 100,
      used_today: 0,
    })
    const sites = [
      ' WWW.Example.com/shop?x=1 ',
      'https://www.example.com',
      'http://方塘.example:80',
      '127.0.0.1',
    ]
    const { data } = await owner.saveWidget(uuid, { sites, daily_limit: 12.5 })
    expect(data).toEqual({
      enabled: true,
      sites: ['https://www.example.com', 'http://xn--sms342a.example', 'https://127.0.0.1'],
      daily_limit: 12.5,
      used_today: 0,
    })
    expect((await owner.client.call('GET /api/agent/{id}/widget', { params: { id: uuid } })).data).toEqual(
      data,
    )
  })

  test.each([
    'https://*.example.com',
    "https://a.example;script-src 'none'",
    'https://a.example;x',
    'https://a.example,b.example',
    'https://user:pass@a.example',
    'javascript:alert(1)',
    'ftp://a.example',
    'https://[::1]',
    '*',
    "'self'",
  ])('refuse %s', async (site) => {
    const { status, body } = await expectCallError(owner.saveWidget(owner.agent.uuid, { sites: [site] }))
    expect([status, body.code]).toEqual([422, 'invalid_input'])
  })

  test('are refused with more than twenty sites and without a limit, and are nobody else’s', async () => {
    const sites = Array.from({ length: 21 }, (_, n) => `https://s${n}.example`)
    for (const body of [{ sites }, { daily_limit: 0 }, { daily_limit: 1e9 }])
      expect((await expectCallError(owner.saveWidget(owner.agent.uuid, body))).status).toBe(422)
    const stranger = await world.user()
    const draft = await owner.client.call('POST /api/agent/draft', { body: { agent: owner.agent.uuid } })
    const attempts = [
      stranger.call('GET /api/agent/{id}/widget', { params: params() }),
      stranger.call('PUT /api/agent/{id}/widget', { params: params(), body: { enabled: false } }),
      owner.client.call('PUT /api/agent/{id}/widget', {
        params: { id: draft.data.uuid },
        body: { enabled: true },
      }),
    ]
    for (const { body } of await Promise.all(attempts.map(expectCallError)))
      expect(body.code).toBe('agent_not_found')
  })
})

describe('the frame of a widget', () => {
  type Props = { agent: object | null; user: unknown }
  const load = async (id: string, headers: Record<string, string> = {}, client = world.visitor()) => {
    const response = await client.fetch(`/widget/${id}`, {
      headers: { 'Sec-Fetch-Dest': 'iframe', ...headers },
    })
    const html = await response.text()
    const [, json = '{}'] =
      /<script data-page="app" type="application\/json">(.*?)<\/script>/s.exec(html) ?? []
    const policy = response.headers.get('Content-Security-Policy') ?? ''
    const { props } = JSON.parse(json) as { props: Props }
    return { response, props, html, frame_ancestors: /frame-ancestors ([^;]*)/.exec(policy)?.[1] }
  }

  test('is for the agent’s sites and a preview alone, and shows what visitors are to see', async () => {
    const { response, props, frame_ancestors } = await load(owner.agent.uuid, { Referer: `${SITES[0]}/` })
    expect(response.status).toBe(200)
    expect(frame_ancestors).toBe(`'self' ${SITES.join(' ')}`)
    expect(response.headers.get('X-Robots-Tag')).toBe('noindex')
    expect(props.agent).toEqual({
      uuid: owner.agent.uuid,
      name: '渠水',
      logo: '',
      welcome: expect.stringContaining('渠水'),
      prompts: expect.any(Array),
    })
  })

  test('knows nobody’s cookie, and sets none', async () => {
    const { response, props } = await load(`${owner.agent.uuid}?invite_code=abc`, {}, owner.client)
    expect([props.user, response.headers.getSetCookie()]).toEqual([null, []])
  })

  test('has nothing in it for a site that is not allowed', async () => {
    const { props, frame_ancestors } = await load(owner.agent.uuid, { Referer: 'https://elsewhere.example/' })
    expect([props.agent, frame_ancestors]).toEqual([null, `'self' ${SITES.join(' ')}`])
    for (const Referer of [`${SITES[1]}/page`, `${world.url}/agents`])
      expect((await load(owner.agent.uuid, { Referer })).props.agent).not.toBeNull()
  })

  test('is the same for an agent that is private, deleted, not embedded, or never was', async () => {
    const [hidden, gone, off] = [
      await owner.createAgent(),
      await owner.createAgent(),
      await owner.createAgent(),
    ]
    await owner.client.call('POST /api/agent/{id}/link', {
      params: { id: hidden.uuid },
      body: { visible: 0 },
    })
    await owner.client.call('DELETE /api/agent/{id}', { params: { id: gone.uuid } })
    await owner.saveWidget(off.uuid, { enabled: false })
    const { uuid: never } = await owner.client.call('POST /api/agent', {
      body: { name: '没有嵌入', visible: 2 },
    })
    const ids = [hidden.uuid, gone.uuid, off.uuid, never, createId(), 'no-id']
    const seen = new Set<string>()
    for (const id of ids) {
      const { response, html, frame_ancestors } = await load(id)
      seen.add(JSON.stringify([response.status, frame_ancestors, html.replaceAll(id, '')]))
    }
    expect([...seen]).toHaveLength(1)
    const { props, frame_ancestors } = await load(createId())
    expect([props.agent, frame_ancestors]).toEqual([null, '*'])
  })

  test('leads whoever comes to it without a frame to the agent’s own page', async () => {
    const { response } = await load(owner.agent.uuid, { 'Sec-Fetch-Dest': 'document' })
    expect([response.status, response.headers.get('Location')]).toEqual([
      302,
      `/chat/agent/${owner.agent.uuid}`,
    ])
  })

  test('is the only page that another site may show', async () => {
    for (const path of ['/', '/chat', `/chat/agent/${owner.agent.uuid}`, '/agents', '/login', '/nowhere']) {
      const { frame_ancestors } = await load(`..${path}`)
      expect(frame_ancestors, path).toBe("'none'")
    }
  })
})
