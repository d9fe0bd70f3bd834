import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { UploadCredential } from '#contract/files.ts'
import { createFiles } from '#server/files/files.ts'
import { createLocalStore } from '#server/files/local-store.ts'
import { createLog } from '#server/core/log.ts'
import { readConfig } from '#server/core/config.ts'
import { sql } from 'drizzle-orm'
import { expectCallError } from '../world/client.ts'
import type { CallError, Client } from '../world/client.ts'
import { lockRows, waitForWaiting } from '../world/locks.ts'
import { useOwnWorld } from '../world/use-world.ts'
import { createS3Client, toMd5, toObjectUrl, upload, waitUntilRead } from './upload.ts'
import type { TestFile } from './upload.ts'

const PART = 5 * 1024 * 1024
const APP_SECRET = 'a secret of at least thirty-two characters'
const world = useOwnWorld({ env: { APP_SECRET } })
let client: Client
let credential: UploadCredential
beforeAll(async () => {
  client = await world.user()
  credential = await client.call('GET /api/cos/credential', {})
})

const poem: TestFile = {
  name: '观书有感.txt',
  type: 'text/plain',
  content: '半亩方塘一鉴开，天光云影共徘徊。',
}
const getCode = async (response: Response): Promise<string> =>
  /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? ''
const listStored = async (): Promise<string[]> =>
  (await readdir(join(world.data_dir, 'files'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

describe('a credential', () => {
  test('puts below the own prefix, for half an hour at most', async () => {
    const leftS = credential.expire_time - Date.now() / 1000
    expect(leftS > 0 && leftS <= 1_800).toBe(true)
    const { uuid } = await client.call('GET /api/user/info', {})
    expect(credential).toMatchObject({ prefix: `u/${uuid}/`, bucket_url: '/s3/wenqu', base_url: '/files/' })
    const { url } = toObjectUrl(world, credential, poem)
    const s3 = createS3Client(credential)
    expect((await s3.fetch(url, { method: 'PUT', body: poem.content })).status).toBe(200)
  })

  test.each([
    ['reads nothing', 'GET', ''],
    ['asks for nothing', 'HEAD', ''],
    ['deletes nothing', 'DELETE', ''],
    ['changes no rights', 'PUT', '?acl'],
    ['lists no uploads', 'GET', '?uploads'],
  ])('%s', async (_, method, query) => {
    const { url } = toObjectUrl(world, credential, poem)
    const body = method === 'PUT' ? { body: 'x' } : {}
    const response = await createS3Client(credential).fetch(url + query, { method, ...body })
    expect([400, 403]).toContain(response.status)
    expect(await response.text()).not.toContain('方塘')
  })

  test('puts nothing beside its prefix, nor what no upload is called', async () => {
    const s3 = createS3Client(credential)
    const other = await (await world.user()).call('GET /api/cos/credential', {})
    const md5 = toMd5('x')
    for (const key of [
      `${other.prefix}file/2026/11/22/${md5}.txt`,
      `file/2026/11/22/${md5}.txt`,
      `${credential.prefix}../${other.prefix}file/2026/11/22/${md5}.txt`,
      `${credential.prefix}%2e%2e/${md5}.txt`,
      `${credential.prefix}file/2026/11/22/${md5}`,
      `${credential.prefix}file/2026/11/22/${md5}.txt/x`,
      `${credential.prefix}..%2f..%2f${md5}.txt`,
      // The place of pictures that everybody may load.
      `p/${md5}.webp`,
      `${credential.prefix}p/${md5}.webp`,
    ]) {
      const response = await s3.fetch(`${world.url}/s3/wenqu/${key}`, { method: 'PUT', body: 'x' })
      expect([key, response.status]).toEqual([key, 403])
    }
    const bucket = await s3.fetch(`${world.url}/s3/other/${credential.prefix}x`, { method: 'PUT', body: 'x' })
    expect(await getCode(bucket)).toBe('NoSuchBucket')
    expect(await listStored()).toHaveLength(1)
  })

  test('is worth nothing when it was changed, belongs to other keys, signs something else or has expired', async () => {
    const { url } = toObjectUrl(world, credential, poem)
    const put = (changed: Partial<UploadCredential>, to = url) =>
      createS3Client({ ...credential, ...changed }).fetch(to, { method: 'PUT', body: 'x' })
    const other = await (await world.user()).call('GET /api/cos/credential', {})
    const [claims = '', mac = ''] = credential.token.split('.')
    const forged = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()), max_bytes: 1e12 }),
    ).toString('base64url')
    expect(await getCode(await put({ secret_key: 'guessed' }))).toBe('SignatureDoesNotMatch')
    expect(await getCode(await put({ secret_key: other.secret_key }))).toBe('SignatureDoesNotMatch')
    expect(await getCode(await put({ token: other.token }))).toBe('SignatureDoesNotMatch')
    expect(await getCode(await put({ token: `${forged}.${mac}` }))).toBe('AccessDenied')
    expect(await getCode(await put({ token: '' }))).toBe('AccessDenied')
    expect(await getCode(await put({ region: 'elsewhere' }))).toBe('AccessDenied')
    expect(await getCode(await fetch(url, { method: 'PUT', body: 'x' }))).toBe('AccessDenied')
    const signed = await createS3Client(credential).sign(url, { method: 'PUT', aws: { signQuery: true } })
    const moved = signed.url.replace(toMd5(poem.content), toMd5('x'))
    expect(await getCode(await fetch(moved, { method: 'PUT', body: 'x' }))).toBe('SignatureDoesNotMatch')
    const store = createLocalStore(world.data_dir, APP_SECRET)
    const realNow = Date.now
    Date.now = () => realNow() - 31 * 60_000
    const expired = await store
      .createCredential({ user_id: credential.prefix.slice(2, -1), max_bytes: 100 })
      .finally(() => (Date.now = realNow))
    expect(await getCode(await put(expired))).toBe('ExpiredToken')
  })

  test('is for accounts', async () => {
    const error = await expectCallError(world.visitor().call('GET /api/cos/credential', {}))
    expect(error.status).toBe(401)
  })
})

describe('a multipart upload', () => {
  /** 11 MB in three parts of different content. */
  const content = Buffer.concat([
    Buffer.alloc(PART, 'a'),
    Buffer.alloc(PART, 'b'),
    Buffer.alloc(1_000_000, 'c'),
  ])
  const video: TestFile = { name: '课.mp4', type: 'video/mp4', content }
  const begin = async () => {
    const s3 = createS3Client(credential)
    const { url, path } = toObjectUrl(world, credential, video)
    const xml = await (await s3.fetch(`${url}?uploads`, { method: 'POST' })).text()
    return { s3, url, path, id: /<UploadId>(.*?)<\/UploadId>/.exec(xml)![1]! }
  }
  const slice = (number: number) => content.subarray((number - 1) * PART, number * PART)
  const complete = (etags: (string | null)[]) =>
    `<CompleteMultipartUpload>${etags.map((etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${etag}</ETag></Part>`).join('')}</CompleteMultipartUpload>`

  test('is put together from presigned parts in any order, after an interruption too', async () => {
    const { s3, url, path, id } = await begin()
    const putPart = async (number: number, headers = {}) => {
      const target = `${url}?partNumber=${number}&uploadId=${id}`
      const { url: presigned } = await s3.sign(target, { method: 'PUT', aws: { signQuery: true } })
      const response = await fetch(presigned, { method: 'PUT', body: slice(number), headers })
      expect(response.status).toBe(200)
      return response.headers.get('ETag')
    }
    const third = await putPart(3)
    const first = await putPart(1, { 'Content-MD5': Buffer.from(toMd5(slice(1)), 'hex').toString('base64') })
    // The browser was closed; after its start it lists the stored parts.
    const listed = await (await s3.fetch(`${url}?uploadId=${id}`)).text()
    expect([...listed.matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, n]) => n)).toEqual(['1', '3'])
    expect(listed).toContain(`<Size>${PART}</Size>`)
    const early = await s3.fetch(`${url}?uploadId=${id}`, {
      method: 'POST',
      body: complete([first, `"${toMd5('never sent')}"`, third]),
    })
    expect(await getCode(early)).toBe('InvalidPart')
    const second = await putPart(2)
    const done = await s3.fetch(`${url}?uploadId=${id}`, {
      method: 'POST',
      body: complete([first, second, third]),
    })
    expect(await done.text()).toMatch(/<ETag>&#34;[0-9a-f]{32}-3&#34;<\/ETag>/)
    const { data } = await client.call('POST /api/block', {
      body: {
        md5: toMd5(content),
        name: video.name,
        type: 'video/mp4',
        size: content.length,
        url: `/files/${path}`,
        channel: 'dati',
      },
    })
    expect(data).toMatchObject({ size: content.length, md5: toMd5(content), url: `/files/${path}` })
    // The upload leaves nothing behind beside the object.
    expect((await listStored()).filter((name) => !name.includes('.'))).toEqual([])
  })

  test('ends when it is aborted, and takes only what belongs to it', async () => {
    const { s3, url, id } = await begin()
    const put = (query: string, body = 'x', headers = {}) =>
      s3.fetch(`${url}?${query}`, { method: 'PUT', body, headers })
    expect(await getCode(await put(`partNumber=0&uploadId=${id}`))).toBe('InvalidRequest')
    expect(await getCode(await put(`partNumber=10001&uploadId=${id}`))).toBe('InvalidRequest')
    expect(await getCode(await put(`partNumber=1&uploadId=${'0'.repeat(32)}`))).toBe('NoSuchUpload')
    expect(await getCode(await put(`partNumber=1&uploadId=../../x`))).toBe('NoSuchUpload')
    const wrongMd5 = { 'Content-MD5': Buffer.from(toMd5('y'), 'hex').toString('base64') }
    expect(await getCode(await put(`partNumber=1&uploadId=${id}`, 'x', wrongMd5))).toBe('BadDigest')
    const small = (await put(`partNumber=1&uploadId=${id}`)).headers.get('ETag')
    const last = (await put(`partNumber=2&uploadId=${id}`, 'y')).headers.get('ETag')
    const finish = (body: string) => s3.fetch(`${url}?uploadId=${id}`, { method: 'POST', body })
    expect(await getCode(await finish(complete([small, last])))).toBe('EntityTooSmall')
    expect(await getCode(await finish('<Part'))).toBe('MalformedXML')
    expect((await s3.fetch(`${url}?uploadId=${id}`, { method: 'DELETE' })).status).toBe(204)
    expect(await getCode(await put(`partNumber=1&uploadId=${id}`))).toBe('NoSuchUpload')
  })

  test('is no larger than its owner may upload, to the byte and before it is sent', async () => {
    const store = createLocalStore(join(world.data_dir, 'files'), APP_SECRET)
    const small = await store.createCredential({ user_id: credential.prefix.slice(2, -1), max_bytes: 10 })
    const s3 = createS3Client({ ...small, base_url: '/files/', day: credential.day })
    const { url } = toObjectUrl(world, credential, { ...poem, content: '0123456789' })
    expect((await s3.fetch(url, { method: 'PUT', body: '0123456789' })).status).toBe(200)
    expect(await getCode(await s3.fetch(url, { method: 'PUT', body: '0123456789a' }))).toBe('EntityTooLarge')
    const xml = await (await s3.fetch(`${url}?uploads`, { method: 'POST' })).text()
    const id = /<UploadId>(.*?)<\/UploadId>/.exec(xml)![1]!
    const put = (number: number, body: string) =>
      s3.fetch(`${url}?partNumber=${number}&uploadId=${id}`, { method: 'PUT', body })
    expect((await put(1, '01234')).status).toBe(200)
    expect(await getCode(await put(2, '567891'))).toBe('EntityTooLarge')
    expect((await put(2, '56789')).status).toBe(200)
    // The same part again replaces the one before.
    expect((await put(2, '98765')).status).toBe(200)
  })

  test('twenty are open at a time', async () => {
    const someone = await world.user()
    const own = await someone.call('GET /api/cos/credential', {})
    const { url } = toObjectUrl(world, own, poem)
    const statuses = []
    for (let n = 0; n < 21; n++)
      statuses.push((await createS3Client(own).fetch(`${url}?uploads`, { method: 'POST' })).status)
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 503])
  })
})

describe('a file is given back to its owner', () => {
  let path: string
  const html: TestFile = { name: '页面 "1".html', type: 'text/html', content: '<script>alert(1)</script>' }
  beforeAll(async () => {
    path = (await upload(world, client, { ...poem, channel: 'files' })).url
  })

  test('with its name, and in parts', async () => {
    const whole = await client.fetch(path)
    expect([whole.status, await whole.text()]).toEqual([200, poem.content])
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-disposition': `attachment; filename="____.txt"; filename*=UTF-8''${encodeURIComponent('观书有感.txt')}`,
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
    })
    const size = Buffer.byteLength(poem.content)
    const getPart = async (Range: string) => {
      const response = await client.fetch(path, { headers: { Range } })
      return [response.status, response.headers.get('Content-Range'), await response.text()]
    }
    expect(await getPart('bytes=0-5')).toEqual([206, `bytes 0-5/${size}`, '半亩'])
    expect(await getPart('bytes=-3')).toEqual([206, `bytes ${size - 3}-${size - 1}/${size}`, '。'])
    expect(await getPart(`bytes=${size - 3}-9999`)).toEqual([
      206,
      `bytes ${size - 3}-${size - 1}/${size}`,
      '。',
    ])
    expect(await getPart(`bytes=${size}-`)).toEqual([416, `bytes */${size}`, ''])
    expect((await getPart('bytes=x-y'))[0]).toBe(200)
    const tag = whole.headers.get('ETag')!
    expect((await client.fetch(path, { headers: { 'If-None-Match': tag } })).status).toBe(304)
    expect((await client.fetch(path, { method: 'HEAD' })).headers.get('Content-Length')).toBe(String(size))
  })

  test('from where a download broke off, but whole where it is another file by now', async () => {
    const tag = (await client.fetch(path, { method: 'HEAD' })).headers.get('ETag')!
    const resume = async (condition: string) => {
      const headers = { Range: 'bytes=6-', 'If-Range': condition }
      const response = await client.fetch(path, { headers })
      return [response.status, await response.text()]
    }
    expect(await resume(tag)).toEqual([206, poem.content.slice(2)])
    expect(await resume('"another file"')).toEqual([200, poem.content])
  })

  test('never as a page that runs in our origin', async () => {
    const pages = [
      html,
      { ...html, name: 'a.svg', type: 'image/svg+xml' },
      { ...html, name: 'b.xhtml', type: 'application/xhtml+xml' },
    ]
    for (const page of pages) {
      const { url } = await upload(world, client, page)
      const { headers } = await client.fetch(url)
      expect(headers.get('Content-Type')).toMatch(/^(text\/plain|application\/octet-stream)$/)
      expect(headers.get('Content-Disposition')).toMatch(/^attachment/)
      expect(headers.get('Content-Security-Policy')).toMatch(/default-src 'none'.*sandbox/)
    }
    const picture = await upload(world, client, { name: 'x.png', type: 'image/png', content: 'png' })
    const { headers } = await client.fetch(picture.url)
    expect(headers.get('Content-Disposition')).toMatch(/^inline/)
    expect((await client.fetch(`${picture.url}?download`)).headers.get('Content-Disposition')).toMatch(
      /^attachment/,
    )
  })

  test('and to nobody else', async () => {
    const stranger = await world.user()
    for (const other of [stranger, world.visitor()]) {
      const [foreign, random] = await Promise.all([
        other.fetch(path),
        other.fetch(path.replace(/[0-9a-f]{32}/, toMd5('never'))),
      ])
      expect([foreign.status, random.status]).toEqual([404, 404])
    }
    const own = (await stranger.call('GET /api/cos/credential', {})).prefix
    expect((await stranger.fetch(path.replace(/u\/[^/]+\//, own))).status).toBe(404)
  })
})

test.runIf(process.env.DATABASE_URL)(
  'deleted in one place while it is saved in another a file is there, or it is said to be missing',
  async () => {
    const file: TestFile = { name: '两处.txt', content: '一处删除，一处保存' }
    const { id, url } = await upload(world, client, file)
    await waitUntilRead(client, id)
    const body = { md5: toMd5(file.content), name: file.name, size: 27, url, channel: 'zhiku' }
    const lock = await lockRows(world.db(), sql`LOCK TABLE files IN EXCLUSIVE MODE`)
    // Saving checks the object before it makes the record.
    const saving = client.call('POST /api/block', { body }).catch(({ body }: CallError) => body.code)
    await waitForWaiting(world.db(), 1)
    const deleting = client.call('DELETE /api/block/{id}', { params: { id } })
    await waitForWaiting(world.db(), 2)
    await lock.release()
    const [saved] = await Promise.all([saving, deleting])
    if (saved !== 'file_missing') expect((await client.fetch(url)).status).toBe(200)
  },
)

test('what was never recorded, and uploads that were never finished, are gone after a day', async () => {
  const someone = await world.user()
  const own = await someone.call('GET /api/cos/credential', {})
  const kept = await upload(world, someone, { ...poem, content: '记下的' })
  const forgotten = toObjectUrl(world, own, { ...poem, content: '没有记下的' })
  const s3 = createS3Client(own)
  await s3.fetch(forgotten.url, { method: 'PUT', body: '没有记下的' })
  await s3.fetch(`${forgotten.url}?uploads`, { method: 'POST' })
  const root = join(world.data_dir, 'files')
  await writeFile(join(root, 'incoming', 'cut-off'), 'x')
  const paths = async () => {
    const entries = await readdir(root, { recursive: true })
    return entries.filter((name) => name.includes(own.prefix.slice(2, -1)) || name.includes('cut-off'))
  }
  const config = readConfig({ DATA_DIR: world.data_dir, NODE_ENV: 'test', APP_SECRET })
  const files = createFiles({ db: world.db(), config, users: {} as never, log: createLog('silent') })
  const sweepAfter = async (hours: number) => {
    const then = new Date(Date.now() - hours * 3_600_000)
    for (const path of await paths()) await utimes(join(root, path), then, then)
    await files.sweep()
  }
  const before = await paths()
  expect(before).toContain(join('objects', forgotten.path))
  await sweepAfter(23)
  expect(await paths()).toEqual(before)
  await sweepAfter(25)
  const left = await paths()
  expect(left).toContain(join('objects', kept.url.slice('/files/'.length)))
  expect(
    left.filter((path) => /uploads\/.*\/|cut-off/.test(path) || path.includes(toMd5('没有记下的'))),
  ).toEqual([])
  expect(
    (await world.db().execute(sql`SELECT 1 FROM files WHERE key LIKE ${`${own.prefix}%`}`)).rows,
  ).toHaveLength(1)
})
