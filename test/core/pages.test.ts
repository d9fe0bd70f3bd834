import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseCallKey } from '#contract/call.ts'
import type { CallKey } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { getNavigation, pages, type NavigationPlace, type PageDefinition } from '#contract/pages.ts'
import { createId } from '#server/core/ids.ts'
import { chatText } from '#web/text/chat.ts'
import { shellText } from '#web/text/shell.ts'
import { homeText } from '#web/text/site/home.ts'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'
import { startWorld } from '../world/world.ts'

const world = useWorld()
let client: Client
beforeAll(async () => {
  client = await world.user('reader@example.com')
})

type Page = { component: string; props: Record<string, unknown>; url: string; version: string }
const visit = (path: string, headers: Record<string, string> = {}) => client.fetch(path, { headers })
const parsePage = (html: string): Page =>
  JSON.parse(/<script data-page="app" type="application\/json">(.*?)<\/script>/s.exec(html)![1]!) as Page

describe('pages', () => {
  const ownPaths = Object.entries<PageDefinition>(pages)
    .filter(([name]) => !['Share', 'Widget', 'InvitationRefusal', 'AuthLogin'].includes(name))
    .flatMap(([name, { paths }]) =>
      paths.map((path) => [path.replace('{model}', 'scripted').replace('{id}', createId()), name, 200]),
    )
  const others = [
    ['/models/old-thinker', 'Model', 200],
    ['/models/openai%2Fgpt', 'NotFound', 404],
    ['/chat?invite_code=abc', 'Chat', 200],
    ['/share/unknown', 'NotFound', 404],
    ['/nowhere', 'NotFound', 404],
  ]
  test.each([...ownPaths, ...others] as [string, string, number][])(
    '%s is %s',
    async (path, component, status) => {
      const response = await visit(path)
      expect(response.status).toBe(status)
      const page = parsePage(await response.text())
      expect(page).toMatchObject({
        component,
        url: path,
        props: { errors: {}, user: { email: 'reader@example.com' } },
      })
      expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'self'")
    },
  )

  test('the policy of a page lets it fetch scripts and pictures from here only', async () => {
    const policy = (await visit('/chat')).headers.get('Content-Security-Policy')!.split('; ')
    expect(policy).toEqual(expect.arrayContaining(["default-src 'self'", "img-src 'self' data: blob:"]))
    expect(policy.join()).not.toMatch(/https?:|\*/)
  })

  test('the first picture of Home and of the empty chat is in the HTML for a guest, and nobody else’s page is', async () => {
    const read = async (who: Client, path: string) => (await who.fetch(path)).text()
    const guest = world.visitor()
    expect(await read(guest, '/?invite_code=abc')).toContain(homeText.heading)
    const chat = await read(guest, '/chat')
    for (const words of [chatText.greetingLine, chatText.examples[0]!.title, shellText.newChat])
      expect(chat).toContain(words)
    expect(await read(guest, '/chat?model=scripted')).not.toContain(chatText.greetingLine)
    expect(await read(client, '/chat')).not.toContain(chatText.greetingLine)
  })

  test('a later visit gets the page as JSON, one with older assets the address to go to in full', async () => {
    const { version } = parsePage(await (await visit('/chat')).text())
    const next = await visit('/credit?a=1', { 'X-Inertia': 'true', 'X-Inertia-Version': version })
    expect(next.headers.get('X-Inertia')).toBe('true')
    // Both show one person's data: the next person at this browser must not find it by going back.
    for (const { headers } of [await visit('/chat'), next])
      expect(headers.get('Cache-Control')).toBe('no-store')
    expect(await next.json()).toMatchObject({ component: 'Credit', url: '/credit?a=1', version })
    const stale = await visit('/credit?a=1', { 'X-Inertia': 'true', 'X-Inertia-Version': 'old' })
    expect([stale.status, stale.headers.get('X-Inertia-Location')]).toEqual([409, '/credit?a=1'])
  })

  test('a partial reload gets the props it asks for', async () => {
    const { version } = parsePage(await (await visit('/chat')).text())
    const partial = await visit('/chat', {
      'X-Inertia': 'true',
      'X-Inertia-Version': version,
      'X-Inertia-Partial-Component': 'Chat',
      'X-Inertia-Partial-Data': 'user',
    })
    expect(Object.keys(((await partial.json()) as Page).props).sort()).toEqual(['errors', 'user'])
  })

  test('nothing in a page can end the element it is in', async () => {
    const html = await (await visit('/chat?x=</script><!--<script>')).text()
    expect(html.match(/<script/g)!.length).toBe(html.match(/<\/script>/g)!.length)
    expect(parsePage(html).url).toContain('/chat?x=')
  })

  test('every page has its file in the web, and no other is there', async () => {
    const files = await readdir('src/web/pages', { recursive: true })
    const names = files.filter((path) => path.endsWith('.tsx')).map((path) => path.replace(/^profile\//, ''))
    expect(names.sort()).toEqual(
      Object.keys(pages)
        .map((name) => `${name}.tsx`)
        .sort(),
    )
  })

  test('the build is served compressed and for good', async () => {
    const html = await (await visit('/')).text()
    const file = /src="(\/assets\/main[^"]+)"/.exec(html)![1]!
    const response = await visit(file, { 'Accept-Encoding': 'br' })
    expect(response.headers.get('Content-Encoding')).toBe('br')
    expect(response.headers.get('Cache-Control')).toContain('immutable')
    expect((await visit('/assets/none.js')).status).toBe(404)
  })

  test('the first load of the chat screen is at most 125 kB of JavaScript', async () => {
    const html = await (await visit('/chat')).text()
    const files = [...html.matchAll(/(?:modulepreload" href|module" src)="\/(assets\/[^"]+)"/g)].map(
      ([, file]) => file!,
    )
    expect(files).toContainEqual(expect.stringMatching(/^assets\/Chat-/))
    const bytes = [...new Set(files)].map(
      (file) => gzipSync(readFileSync(join('dist/web', file)), { level: 9 }).length,
    )
    // Parts after the first picture are imported dynamically: lazyComponent, lazyModule, useDeferredQuery.
    expect(bytes.reduce((sum, size) => sum + size) / 1000).toBeLessThanOrEqual(125)
  })

  test('the outbox is for who asks from this machine, by its own name and not through a proxy', async () => {
    const visitOutbox = async (headers: Record<string, string>): Promise<number | undefined> => {
      const asked = get(`${world.url}/dev/outbox`, { headers })
      const [response] = (await once(asked, 'response')) as [IncomingMessage]
      response.resume()
      return response.statusCode
    }
    const { port } = new URL(world.url)
    for (const Host of [`localhost:${port}`, `127.0.0.1:${port}`, '[::1]', 'LOCALHOST']) {
      expect(await visitOutbox({ Host })).toBe(200)
    }
    const foreign: Record<string, string>[] = [
      { Host: 'rebound.example' },
      { Host: `localhost.evil.example:${port}` },
      { Host: '127.0.0.1.evil.example' },
      { 'X-Forwarded-For': '203.0.113.5' },
      { 'X-Forwarded-Host': 'localhost' },
      { Forwarded: 'for=127.0.0.1' },
      { Via: '1.1 proxy' },
      { 'X-Real-IP': '127.0.0.1' },
    ]
    for (const headers of foreign) {
      expect(await visitOutbox(headers), JSON.stringify(headers)).toBe(404)
    }
  })

  test('every answer is of the type that it says it is', async () => {
    const paths = ['/', '/chat', '/favicon.svg', '/api/models', '/api/none', '/api/v1/models', '/api/v1/none']
    for (const path of paths) {
      expect((await visit(path)).headers.get('X-Content-Type-Options'), path).toBe('nosniff')
    }
  })

  test('the outbox is not there in production', async () => {
    const secret = 'x'.repeat(32)
    const env = { NODE_ENV: 'production', APP_SECRET: secret, APP_URL: 'https://wenqu.example' }
    const production = await startWorld({ env })
    try {
      expect((await production.visitor().fetch('/dev/outbox')).status).toBe(404)
      for (const path of ['/', '/api/models', '/api/v1/models']) {
        const { headers } = await production.visitor().fetch(path)
        expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000')
      }
    } finally {
      await production.close()
    }
  })
})

describe('navigation', () => {
  const listLinks = (place: NavigationPlace, signedIn: boolean): string[] =>
    getNavigation(place, signedIn).map(({ label, href }) => `${label} ${href}`)

  test.each([
    ['sidebar', ['对话 /chat', '对比 /compare', '翻译 /fanyi', '智能体 /agents'], ['文档 /block']],
    ['platform', ['模型 /models', '计算器 /calculator', '接口 /docs/gateway', '计费 /docs/charging'], []],
    [
      'api',
      ['接入指南 /docs/gateway', '接口文档 /docs/api'],
      ['密钥 /profile/api-keys', '管理密钥 /profile/provision-keys'],
    ],
    [
      'account',
      // The menu itself is for users; a visitor sees the page.
      ['充值 /credit'],
      [
        '密钥与用量 /profile/api-keys',
        '用量概览 /profile/dashboard',
        '任务 /profile/tasks',
        '组织 /profile/organization',
        '设置 /profile/setting',
      ],
    ],
    [
      'settings',
      ['充值与会员 /credit', '邀请好友 /partner'],
      [
        '用量概览 /profile/dashboard',
        '余额 /profile/balance',
        '收支明细 /profile/transactions',
        '任务 /profile/tasks',
        '消息 /profile/messages',
        '组织 /profile/organization',
      ],
    ],
    [
      'palette',
      [
        '对话 /chat',
        '模型对比 /compare',
        '翻译 /fanyi',
        '智能体 /agents',
        '模型广场 /models',
        '计算器 /calculator',
        '接入指南 /docs/gateway',
        '接口文档 /docs/api',
        '充值与会员 /credit',
        '计费规则 /docs/charging',
        '邀请好友 /partner',
        '服务条款与隐私 /service',
      ],
      [
        '创建智能体 /agent/create',
        '文档 /block',
        '密钥 /profile/api-keys',
        '管理密钥 /profile/provision-keys',
        '用量概览 /profile/dashboard',
        '余额 /profile/balance',
        '收支明细 /profile/transactions',
        '任务 /profile/tasks',
        '消息 /profile/messages',
        '组织 /profile/organization',
        '设置 /profile/setting',
      ],
    ],
  ] as const)('%s: links for everybody, and those for users', (place, everybody, users) => {
    expect(listLinks(place, false)).toEqual(everybody)
    expect(listLinks(place, true).toSorted()).toEqual([...everybody, ...users].toSorted())
  })

  test('every page is listed somewhere, but for those that links in other pages or e-mails lead to', () => {
    const listed = Object.entries<PageDefinition>(pages).filter(([, { navigation }]) => navigation)
    const others = Object.keys(pages).filter((name) => !listed.some(([other]) => other === name))
    expect(others).toEqual([
      'Home',
      'Share',
      'Widget',
      'InvitationRefusal',
      'AuthLogin',
      'AuthLogout',
      'Outbox',
      'Processing',
      'NotFound',
    ])
    expect(listed.filter(([, { layout }]) => layout !== 'app')).toEqual([])
  })

  test('a page that the sidebar or the account menu lists has an icon', () => {
    const links = (['sidebar', 'platform', 'account'] as const).flatMap((place) => getNavigation(place, true))
    expect(links.filter(({ icon }) => !icon)).toEqual([])
  })
})

test('the OpenAPI document has every call of the contract, its fields and its errors', async () => {
  const { paths } = (await (await visit('/api/openapi.json')).json()) as {
    paths: Record<string, Record<string, { responses: object; requestBody?: object; summary: string }>>
  }
  for (const key of Object.values(calls).flatMap((feature) => Object.keys(feature) as CallKey[])) {
    const { method, path } = parseCallKey(key)
    expect(paths[path]?.[method.toLowerCase()]?.summary, key).toMatch(/[\u4e00-\u9fff]/)
  }
  const { responses, requestBody } = paths['/api/chat/create']!.post!
  expect(Object.keys(responses)).toEqual(
    expect.arrayContaining(['200', '401', '402', '404', '409', '413', '422', '429']),
  )
  expect(JSON.stringify(requestBody)).toContain('"prompt"')
})

test('the OpenAPI document lists the fields of a question for each channel by itself', async () => {
  type Body = { title: string; properties: Record<string, unknown>; required?: string[] }
  type Operation = { requestBody: { content: Record<string, { schema: { oneOf: Body[] } }> } }
  const { paths } = (await (await visit('/api/openapi.json')).json()) as {
    paths: Record<string, Record<string, Operation>>
  }
  const { oneOf } = paths['/api/chat/create']!.post!.requestBody.content['application/json']!.schema
  expect(
    oneOf.map(({ title, properties, required = [] }) => [
      /（(\w+)/.exec(title)?.[1],
      required.join(),
      ['model', 'models', 'continue', 'block', 'target_lang'].filter((name) => name in properties).join(),
    ]),
  ).toEqual([
    ['dati', '', 'model,continue,block'],
    ['zhiku', 'chatbot', 'continue,block'],
    ['block', 'chatbot', 'model,continue,block'],
    ['compare', 'chatbot', 'model,models,block'],
    ['fanyi', 'chatbot', 'model,continue,target_lang'],
  ])
})

test('the OpenAPI document says of every parameter and field what it means, in Chinese', async () => {
  const { paths } = (await (await visit('/api/openapi.json')).json()) as { paths: object }
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null
  const findUndescribed = (value: unknown): string[] => {
    if (!isObject(value)) return []
    const fields = isObject(value.properties) ? Object.entries(value.properties) : []
    const named = 'in' in value && typeof value.name === 'string' ? [[value.name, value] as const] : []
    const undescribed = [...fields, ...named].filter(
      ([, field]) => !isObject(field) || !/[\u4e00-\u9fff]/.test(String(field.description)),
    )
    const nested = Object.entries(value).filter(([key]) => key !== 'example')
    return [...undescribed.map(([name]) => name), ...nested.flatMap(([, child]) => findUndescribed(child))]
  }
  expect(findUndescribed(paths)).toEqual([])
})

test('the OpenAPI document says of every call that it may be refused for now, and where calls are counted', async () => {
  type Operation = { responses: Record<string, { description: string }> }
  const { paths } = (await (await visit('/api/openapi.json')).json()) as {
    paths: Record<string, Record<string, Operation>>
  }
  for (const key of Object.values(calls).flatMap((feature) => Object.keys(feature) as CallKey[])) {
    const { method, path } = parseCallKey(key)
    const { responses } = paths[path]![method.toLowerCase()]!
    expect(responses['429']?.description, key).toContain('too_many_calls')
    expect(responses['503']?.description, key).toContain('overloaded')
  }
  const counted = [
    '/api/chat/session/link',
    '/api/session/{id}/continue',
    '/api/block/tts',
    '/api/chat/session/new',
  ]
  for (const path of counted)
    expect(Object.values(paths[path]!)[0]!.responses['429']!.description).toContain('rate_limited')
})

test('the OpenAPI document says which calls take a provision key', async () => {
  const { paths, components } = (await (await visit('/api/openapi.json')).json()) as {
    paths: Record<string, Record<string, { security: Record<string, string[]>[] }>>
    components: { securitySchemes: Record<string, { type: string; scheme?: string; name?: string }> }
  }
  expect(components.securitySchemes).toMatchObject({
    provision_key: { type: 'http', scheme: 'bearer' },
    session: { type: 'apiKey', in: 'cookie', name: 'wenqu_session' },
  })
  expect(paths['/api/api_keys']!.get!.security).toEqual([{ session: [] }, { provision_key: [] }])
  expect(paths['/api/provision_keys']!.get!.security).toEqual([{ session: [] }])
  expect(paths['/api/chat/create']!.post!.security).toEqual([{ session: [] }, {}, { widget: [] }])
  expect(paths['/api/stats']!.get!.security).toEqual([])
})
