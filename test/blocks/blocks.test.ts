import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Block } from '#contract/blocks.ts'
import { createEgress } from '#server/core/egress/egress.ts'
import { createId } from '#server/core/ids.ts'
import { createS3Client, toMd5, toObjectUrl, upload, waitUntilRead } from '../files/upload.ts'
import { expectCallError } from '../world/client.ts'
import type { CallError, Client } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'

const MB = 1024 * 1024
/** Stands for a site of the public internet. */
let site: Server
let respond: RequestListener
beforeAll(async () => {
  site = createServer((request, response) => respond(request, response)).listen(0, '127.0.0.1')
  await once(site, 'listening')
})
afterAll(() => void site.close())
const egress = createEgress({
  resolve: async (hostname) => (hostname === 'site.example' ? ['127.0.0.1'] : ['10.0.0.1']),
  isAllowedAddress: (address) => address === '127.0.0.1',
  isAllowedPort: () => true,
})

const world = useOwnWorld({ egress })
let client: Client
beforeAll(async () => {
  client = await world.user()
})

const chapters = (count: number): string =>
  Array.from({ length: count }, (_, n) => `# 第${n + 1}章\n\n这一章讲第${n + 1}条河。`).join('\n\n')

const get = async (id: string): Promise<Block> =>
  (await client.call('GET /api/block/{id}', { params: { id } })).data

/** Returns the index of a block, which only calls of other features show. */
const getIndex = async (id: string) =>
  (
    await world
      .db()
      .execute<{ status: number; title: string; chunks: number }>(
        sql`SELECT status, title, chunks FROM documents WHERE id = ${id}`,
      )
  ).rows[0]

describe('an uploaded file', () => {
  test('of the channel of agents is indexed once it is read, again when it is read again, until it is deleted', async () => {
    const file = { name: '湖.md', content: chapters(4), channel: 'zhiku' }
    const { id } = await upload(world, client, file)
    const indexed = { status: 2, title: '湖.md', chunks: 4 }
    await waitUntilRead(client, id)
    await expect.poll(() => getIndex(id)).toEqual(indexed)
    await client.call('POST /api/block/{id}/retry', { params: { id }, body: {} })
    await waitUntilRead(client, id)
    await expect.poll(() => getIndex(id)).toEqual(indexed)
    await client.call('DELETE /api/block/{id}', { params: { id } })
    expect(await getIndex(id)).toBeUndefined()
    const elsewhere = await upload(world, client, { ...file, channel: 'dati' })
    await waitUntilRead(client, elsewhere.id)
    expect(await getIndex(elsewhere.id)).toBeUndefined()
  })

  test('is read, and its pieces say where they stand', async () => {
    const saved = await upload(world, client, { name: '河.md', content: chapters(3) })
    expect(saved).toMatchObject({
      name: '河.md',
      type: 'text/markdown',
      size: Buffer.byteLength(chapters(3)),
      md5: toMd5(chapters(3)),
      channel: 'dati',
    })
    const block = await waitUntilRead(client, saved.id)
    expect(block).toMatchObject({ status: 2, error: null, progress: null, format: 'md' })
    expect(block.report).toMatchObject({ blank: [], garbled: [], skipped: [] })
    const { data } = await client.call('GET /api/block/{id}/detail', {
      params: { id: saved.id },
      query: { lang: 'zh' },
    })
    expect(data).toMatchObject({ id: saved.id, lang: 'zh', has_more: false, pieces: data.items.length })
    expect(data.items.map(({ n }) => n)).toEqual(data.items.map((_, at) => at + 1))
    expect(data.items.map(({ text }) => text).join('\n')).toContain('这一章讲第3条河。')
    expect(data.items.at(-1)!.place.heading).toEqual(['第3章'])
    const behind = await client.call('GET /api/block/{id}/detail', {
      params: { id: saved.id },
      query: { after: data.items.length - 1 },
    })
    expect(behind.data.items).toEqual(data.items.slice(-1))
  })

  test('that could not be read says why, to who asks for its content too', async () => {
    const { id } = await upload(world, client, {
      name: '坏.bin',
      content: Buffer.from([0, 1, 2, 255, 254, 0, 9]),
    })
    const block = await waitUntilRead(client, id)
    expect(block).toMatchObject({ status: 3, pieces: 0 })
    expect(block.error).toMatch(/[一-鿿]/)
    const error = await expectCallError(client.call('GET /api/block/{id}/detail', { params: { id } }))
    expect([error.status, error.body.code, error.body.message]).toEqual([422, 'block_failed', '文件读取失败'])
  })

  test('is found by its content and channel, and saved once', async () => {
    const file = { name: '同一份.txt', content: '同一份内容' }
    const first = await upload(world, client, file)
    const md5 = toMd5(file.content)
    const find = (channel: string, by = md5) =>
      client.call('GET /api/block/md5/{md5}', { params: { md5: by }, query: { channel } })
    expect((await find('dati')).data.id).toBe(first.id)
    expect((await find('dati', md5.toUpperCase())).data.id).toBe(first.id)
    const { name, type, size, url, channel } = first
    const body = { md5: md5.toUpperCase(), name, type, size, url, channel }
    expect((await client.call('POST /api/block', { body })).data.id).toBe(first.id)
    expect((await expectCallError(find('zhiku'))).status).toBe(404)
    expect((await upload(world, client, { ...file, name: '另一个名字.txt' })).id).toBe(first.id)
    const again = await Promise.all(
      [1, 2, 3]
        .map(() => upload(world, client, { ...file, channel: 'fanyi' }))
        .map((saved) => saved.catch((error: unknown) => error)),
    )
    const saved = again.filter((one) => !(one instanceof Error)) as Block[]
    expect(new Set(saved.map(({ id }) => id)).size).toBe(1)
  })

  test('is never found by somebody else, whoever knows its md5', async () => {
    const content = '只有我有'
    const own = await upload(world, client, { name: '秘密.txt', content })
    const stranger = await world.user()
    const md5 = toMd5(content)
    const found = stranger.call('GET /api/block/md5/{md5}', { params: { md5 }, query: { channel: 'dati' } })
    expect((await expectCallError(found)).status).toBe(404)
    const claimed = stranger.call('POST /api/block', {
      body: { md5, name: '秘密.txt', size: own.size, url: own.url, channel: 'dati' },
    })
    expect((await expectCallError(claimed)).body.code).toBe('file_missing')
  })

  test.each([
    [
      'never sent',
      { url: (path: string) => path.replace(/[0-9a-f]{32}/, toMd5('never')), md5: toMd5('never') },
      'file_missing',
    ],
    ['beside the own folder', { url: () => '/files/../../etc/passwd' }, 'file_missing'],
    ['elsewhere', { url: () => 'http://127.0.0.1/x' }, 'file_missing'],
    ['of another size', { size: 3 }, 'file_damaged'],
  ])(
    '%s is refused',
    async (_, change: { url?: (path: string) => string; size?: number; md5?: string }, code) => {
      const someone = await world.user()
      const content = '内容'
      const credential = await someone.call('GET /api/cos/credential', {})
      const { path } = toObjectUrl(world, credential, { name: 'a.txt', content })
      const sent = { md5: toMd5(content), name: 'a.txt', size: 6, channel: 'dati' }
      if (change.size) await upload(world, someone, { name: 'a.txt', content, channel: 'other' })
      const { url = (same: string) => same, ...rest } = change
      const call = someone.call('POST /api/block', { body: { ...sent, ...rest, url: url(`/files/${path}`) } })
      expect((await expectCallError(call)).body.code).toBe(code)
    },
  )

  test('whose content is not what its md5 says is refused', async () => {
    const someone = await world.user()
    const credential = await someone.call('GET /api/cos/credential', {})
    const { path, url } = toObjectUrl(world, credential, { name: 'a.txt', content: '原来' })
    const refused = await createS3Client(credential).fetch(url, { method: 'PUT', body: '换了' })
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('BadDigest')])
    const body = { md5: toMd5('原来'), name: 'a.txt', size: 6, url: `/files/${path}`, channel: 'dati' }
    expect((await expectCallError(someone.call('POST /api/block', { body }))).body.code).toBe('file_missing')
  })

  test('of text may have 2 MB to the byte, whatever it says it is', async () => {
    const exact = await upload(world, client, { name: '刚好.txt', content: Buffer.alloc(2 * MB, 'a') })
    expect(exact.size).toBe(2 * MB)
    await client.call('DELETE /api/block/{id}', { params: { id: exact.id } })
    const larger = { name: '大.csv', type: 'application/pdf', content: Buffer.alloc(2 * MB + 1, 'a') }
    const error = await expectCallError(upload(world, client, larger))
    expect([error.status, error.body.message]).toEqual([413, '纯文本/表格文件大小不能超过2M'])
  })
})

describe('a block', () => {
  test('is deleted with its file and its text', async () => {
    const { id, url } = await upload(world, client, { name: '删.txt', content: '要删的' })
    await waitUntilRead(client, id)
    await client.call('DELETE /api/block/{id}', { params: { id } })
    expect((await expectCallError(get(id))).status).toBe(404)
    expect((await client.fetch(url)).status).toBe(404)
  })

  test('of somebody else is like one that never was, for every call', async () => {
    const { id } = await upload(world, client, { name: '别人的.txt', content: '别人的' })
    await waitUntilRead(client, id)
    const stranger = await world.user()
    for (const foreign of [id, createId()]) {
      const params = { id: foreign }
      const calls = [
        () => stranger.call('GET /api/block/{id}', { params }),
        () => stranger.call('GET /api/block/{id}/detail', { params }),
        () => stranger.call('POST /api/block/{id}/cancel', { params }),
        () => stranger.call('POST /api/block/{id}/retry', { params, body: {} }),
        () => stranger.call('DELETE /api/block/{id}', { params }),
      ]
      for (const call of calls) expect((await expectCallError(call())).body.code).toBe('not_found')
    }
    expect((await stranger.call('GET /api/blocks', {})).total).toBe(0)
    expect((await get(id)).status).toBe(2)
  })

  test('is listed to its owner, the newest first', async () => {
    const someone = await world.user()
    for (const name of ['一.txt', '二.txt', '三.txt'])
      await upload(world, someone, { name, content: name, channel: 'listed' })
    const page = await someone.call('GET /api/blocks', { query: { channel: 'listed', size: 2 } })
    expect(page).toMatchObject({
      total: 3,
      from: 1,
      to: 2,
      next_url: '/api/blocks?channel=listed&page=2&size=2',
    })
    expect(page.items.map(({ name }) => name)).toEqual(['三.txt', '二.txt'])
  })

  test('is read again from its beginning, with the same pieces', async () => {
    const { id } = await upload(world, client, { name: '再读.md', content: chapters(5) })
    const first = await waitUntilRead(client, id)
    const { data } = await client.call('POST /api/block/{id}/retry', { params: { id }, body: {} })
    expect(data.status).toBeLessThan(2)
    expect(await waitUntilRead(client, id)).toEqual(first)
  })
})

describe('a link', () => {
  const extract = (path: string) => {
    const url = path.startsWith('http')
      ? path
      : `http://site.example:${(site.address() as AddressInfo).port}${path}`
    return client.call('GET /api/block/link/extract', { query: { url, channel: 'dati' } })
  }

  test('becomes a clean article with its title and address', async () => {
    const text = '半亩方塘一鉴开，天光云影共徘徊。问渠那得清如许？为有源头活水来。'.repeat(8)
    respond = (_, response) =>
      response
        .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
        .end(
          `<html><head><title>观书有感</title></head><body><nav>菜单</nav><article><h1>观书有感</h1><p>${text}</p><p>${text}</p></article><script>alert(1)</script></body></html>`,
        )
    const { data } = await extract('/poem.html')
    expect(data).toMatchObject({ url: expect.stringContaining('/poem.html'), md5: null })
    const block = await waitUntilRead(client, data.id)
    expect(block).toMatchObject({ status: 2, name: '观书有感' })
    const detail = await client.call('GET /api/block/{id}/detail', { params: { id: data.id } })
    const read = detail.data.items.map((piece) => piece.text).join('\n')
    expect(read).toContain('天光云影共徘徊')
    expect(read).not.toMatch(/菜单|alert/)
  })

  test.each([
    ['http://inside.example/', 'link_refused'],
    ['http://169.254.169.254/latest/meta-data/', 'link_refused'],
    ['file:///etc/passwd', 'link_refused'],
    ['/missing', 'link_failed'],
    ['/empty', 'link_failed'],
  ])('%s is refused: %s', async (url, code) => {
    respond = (request, response) => response.writeHead(request.url === '/empty' ? 200 : 404).end()
    const error = await expectCallError(extract(url))
    expect([error.status, error.body.code]).toEqual([422, code])
  })

  test('whose site is in trouble for a moment is fetched again; one that stays silent is said not to answer', async () => {
    const fetched: string[] = []
    respond = ({ url = '' }, response) => {
      const isAgain = fetched.includes(url)
      fetched.push(url)
      if (url === '/moment' && isAgain) response.setHeader('Content-Type', 'text/plain').end('活水')
      else if (url === '/cut') response.destroy()
      else response.writeHead(503).end()
    }
    const { data } = await extract('/moment')
    expect((await waitUntilRead(client, data.id)).status).toBe(2)
    for (const path of ['/trouble', '/cut']) {
      const { status, body } = await expectCallError(extract(path))
      expect([status, body.code, body.message]).toEqual([
        502,
        'link_unanswered',
        '这个网站没有应答，请稍后再试',
      ])
    }
    expect(fetched).toEqual(['/moment', '/moment', ...Array(3).fill('/trouble'), ...Array(3).fill('/cut')])
  })

  test('is fetched for pages of ours only', async () => {
    const url = `http://site.example:${(site.address() as AddressInfo).port}/slow`
    const foreign = await client.fetch(
      `/api/block/link/extract?channel=dati&url=${encodeURIComponent(url)}`,
      {
        headers: { 'X-Requested-With': '' },
      },
    )
    expect(foreign.status).toBe(403)
  })

  test('is one of three that a person has open at a time; twelve wait in their order, and more are told so', async () => {
    const open: ServerResponse[] = []
    const asked = Promise.withResolvers<void>()
    respond = (_, response) => void (open.push(response) === 3 && asked.resolve())
    const refused = Promise.withResolvers<CallError>()
    const codes = Array.from({ length: 16 }, async () => {
      const error = await expectCallError(extract('/slow'))
      if (error.body.code === 'link_busy') refused.resolve(error)
      return error.body.code
    })
    await asked.promise
    expect((await refused.promise).status).toBe(429)
    expect(open).toHaveLength(3)
    // Each that ends makes room for one more.
    respond = (_, response) => response.writeHead(404).end()
    for (const response of open) response.writeHead(404).end()
    expect((await Promise.all(codes)).sort()).toEqual(['link_busy', ...Array(15).fill('link_failed')])
  })
})
