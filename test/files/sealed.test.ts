import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sql } from 'drizzle-orm'
import { getStorageLimits } from '#contract/uploads.ts'
import type { UploadCredential } from '#contract/files.ts'
import { createLocalStore } from '#server/files/local-store.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useOwnWorld, useWorld } from '../world/use-world.ts'
import { assumeRole, startS3Double, toS3Environment } from './s3-double.ts'
import type { S3Double } from './s3-double.ts'
import { createS3Client, putFile, toMd5, toObjectUrl, upload } from './upload.ts'

let double: S3Double
beforeAll(async () => {
  double = await startS3Double()
  double.sts = assumeRole
})
afterAll(() => double.close())

const getCode = async (response: Response): Promise<string> =>
  /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? ''

/**
 * Two texts with one MD5 (Marc Stevens, https://marc-stevens.nl/research/md5-1block-collision/, 2012): anybody can make such
 * files.
 */
const COLLISION = [
  '4dc968ff0ee35c209572d4777b721587d36fa7b21bdc56b74a3dc0783e7b9518afbfa200a8284bf36e8e4b55b35f427593d849676da0d1555d8360fb5f07fea2',
  '4dc968ff0ee35c209572d4777b721587d36fa7b21bdc56b74a3dc0783e7b9518afbfa202a8284bf36e8e4b55b35f427593d849676da0d1d55d8360fb5f07fea2',
].map((hex) => Buffer.from(hex, 'hex'))

describe('the store that comes with the server', () => {
  const world = useWorld()
  let client: Client
  let credential: UploadCredential
  beforeAll(async () => {
    client = await world.user()
    credential = await client.call('GET /api/cos/credential', {})
  })
  const put = (name: string, named: Uint8Array | string, content: Uint8Array | string, own = credential) =>
    createS3Client(own).fetch(toObjectUrl(world, own, { name, content: named }).url, {
      method: 'PUT',
      body: Buffer.from(content),
    })

  test('takes no bytes under the MD5 of others, in one piece or in parts', async () => {
    expect(await getCode(await put('a.txt', 'right', 'wrong'))).toBe('BadDigest')
    const s3 = createS3Client(credential)
    const { url } = toObjectUrl(world, credential, { name: 'a.txt', content: 'right' })
    const complete = async (content: string): Promise<Response> => {
      const xml = await (await s3.fetch(`${url}?uploads`, { method: 'POST' })).text()
      const id = /<UploadId>(.*?)<\/UploadId>/.exec(xml)![1]!
      const part = await s3.fetch(`${url}?partNumber=1&uploadId=${id}`, { method: 'PUT', body: content })
      const body = `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${part.headers.get('ETag')}</ETag></Part></CompleteMultipartUpload>`
      return s3.fetch(`${url}?uploadId=${id}`, { method: 'POST', body })
    }
    expect(await getCode(await complete('wrong'))).toBe('BadDigest')
    expect((await complete('right')).status).toBe(200)
    // Sent again, as after an answer that got lost.
    expect((await complete('right')).status).toBe(200)
    expect((await put('a.txt', 'right', 'right')).status).toBe(200)
  })

  test('never writes over an object, also not by bytes that have its MD5', async () => {
    const [one, other] = COLLISION as [Buffer, Buffer]
    expect([toMd5(one) === toMd5(other), one.equals(other)]).toEqual([true, false])
    const { url } = await upload(world, client, { name: 'collision.dat', content: one })
    expect(await getCode(await put('collision.dat', one, other))).toBe('PreconditionFailed')
    expect(Buffer.from(await (await client.fetch(url)).arrayBuffer())).toEqual(one)
  })

  test('takes keys of today alone: of yesterday while a credential of then is good', async () => {
    const onDay = (day: string) => put('b.txt', 'b', 'b', { ...credential, day })
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-03-01T00:10:00+08:00') })
    try {
      const store = createLocalStore(world.data_dir, 'x'.repeat(32))
      expect((await store.createCredential({ user_id: 'u', max_bytes: 1 })).expire_time).toBeGreaterThan(0)
      credential = await client.call('GET /api/cos/credential', {})
      expect(credential.day).toBe('2027-03-01')
      expect((await onDay('2027-03-01')).status).toBe(200)
      expect((await onDay('2027-02-28')).status).toBe(200)
      for (const day of ['2027-02-27', '2027-03-02', '2026-11-22'])
        expect(await getCode(await onDay(day))).toBe('AccessDenied')
      vi.setSystemTime(new Date('2027-03-01T00:31:00+08:00'))
      expect(await getCode(await onDay('2027-02-28'))).toBe('AccessDenied')
    } finally {
      vi.useRealTimers()
    }
  })

  test('keeps so many unsaved uploads of an account, and has room again when they are saved', async () => {
    const someone = await world.user()
    const own = await someone.call('GET /api/cos/credential', {})
    const { max_unsaved_files } = getStorageLimits('pro-0')
    const names = Array.from({ length: max_unsaved_files }, (_, n) => `${n}.bin`)
    for (const name of names) expect((await put(name, name, name, own)).status).toBe(200)
    expect(await getCode(await put('x', 'x', 'x', own))).toBe('QuotaExceeded')
    const s3 = createS3Client(own)
    const { url } = toObjectUrl(world, own, { name: 'x', content: 'x' })
    expect(await getCode(await s3.fetch(`${url}?uploads`, { method: 'POST' }))).toBe('QuotaExceeded')
    const refused = await expectCallError(someone.call('GET /api/cos/credential', {}))
    expect([refused.status, refused.body.message]).toEqual([
      429,
      '上传后没有保存的文件太多，请先完成已有的上传，或明天再试',
    ])
    // A stored file may be sent again: it adds nothing.
    await upload(world, await world.user(), { name: 'other.txt', content: 'of somebody else' })
    const first = { name: names[0]!, content: names[0]! }
    const saved = await someone.call('POST /api/block', {
      body: {
        md5: toMd5(first.content),
        name: first.name,
        type: '',
        size: first.content.length,
        url: `/files/${toObjectUrl(world, own, first).path}`,
        channel: 'dati',
      },
    })
    expect(saved.data.size).toBe(first.content.length)
    expect((await put('x', 'x', 'x', own)).status).toBe(200)
  })

  test('bodies that come at one moment are no way around it', async () => {
    const someone = await world.user()
    const own = await someone.call('GET /api/cos/credential', {})
    const { max_unsaved_files } = getStorageLimits('pro-0')
    for (let n = 0; n < max_unsaved_files - 3; n++)
      expect((await put('n.bin', String(n), String(n), own)).status).toBe(200)
    const statuses = await Promise.all(
      Array.from({ length: 8 }, (_, n) => put('m.bin', `m${n}`, `m${n}`, own).then(({ status }) => status)),
    )
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(3)
  })
})

describe('a store that knows nothing of MD5s', () => {
  const world = useOwnWorld({ env: () => toS3Environment(double) })
  const content = '等闲识得东风面，万紫千红总是春。'

  test('keeps a copy of what was checked where no credential reaches, and only that is read', async () => {
    const client = await world.user()
    const { id, url, size } = await upload(world, client, { name: '春.txt', content })
    const { prefix } = await client.call('GET /api/cos/credential', {})
    const [sealed, ...others] = double.keys()
    expect([others, url, sealed!.startsWith(prefix)]).toEqual([[], `/files/${sealed}`, false])
    // The credential is still good: new bytes at its path are another upload.
    const uploaded = `${prefix}file/2026/11/27/${toMd5(content)}.txt`
    double.set(uploaded, Buffer.from('x'.repeat(size * 2)))
    expect(await (await client.fetch(url)).text()).toBe(content)
    expect(await (await client.fetch(`/files/${uploaded}`)).text()).toBe(content)
    expect((await (await world.user()).fetch(url)).status).toBe(404)
    await client.call('DELETE /api/block/{id}', { params: { id } })
    expect(double.keys()).toEqual([uploaded])
    double.clear()
  })

  test('is believed neither while it is written over nor for what it is told of the bytes', async () => {
    const client = await world.user()
    const put = () => putFile(world, client, { name: '春.txt', content })
    const save = (url: string) =>
      client.call('POST /api/block', {
        body: {
          md5: toMd5(content),
          name: '春.txt',
          type: '',
          size: Buffer.byteLength(content),
          url,
          channel: 'dati',
        },
      })
    const url = await put()
    double.set(url.slice('/files/'.length), Buffer.from(content.replace('春', '冬')))
    expect((await expectCallError(save(url))).body.code).toBe('file_damaged')
    expect(double.keys()).toEqual([])
    // A Content-Encoding would have the reader unpack what was never packed.
    double.set((await put()).slice('/files/'.length), Buffer.from(content), 'gzip')
    expect(await (await client.fetch((await save(url)).data.url)).text()).toBe(content)
    double.clear()
  })

  test('has no credential for who left too much there', async () => {
    const client = await world.user()
    const { prefix, day } = await client.call('GET /api/cos/credential', {})
    const { max_unsaved_files } = getStorageLimits('pro-0')
    for (let n = 0; n < max_unsaved_files; n++)
      double.set(`${prefix}file/${day.replaceAll('-', '/')}/${toMd5(String(n))}.bin`, Buffer.from(String(n)))
    expect((await expectCallError(client.call('GET /api/cos/credential', {}))).body.code).toBe(
      'uploads_unsaved',
    )
    double.clear()
  })
})

describe('the room of an account', () => {
  const world = useWorld()
  const { max_bytes } = getStorageLimits('pro-0')
  /** Makes an account appear to have saved files of this many bytes. */
  const fill = async (client: Client, bytes: number): Promise<void> => {
    const { uuid } = await client.call('GET /api/user/info', {})
    await world.db().execute(sql`
      INSERT INTO files (id, user_id, md5, name, type, size, key, channel)
      VALUES (gen_random_uuid(), ${uuid}, 'filled', 'a', 'a', ${bytes}, 'a', 'a')`)
  }

  test('is shown, ends to the byte whatever comes at once, and is larger with a membership', async () => {
    const client = await world.user('room@example.com')
    await fill(client, max_bytes - 7)
    const save = (name: string) => upload(world, client, { name, content: name.padEnd(4, 'x') })
    await save('a.txt'.slice(0, 1))
    expect(await client.call('GET /api/user/storage', {})).toEqual({
      used_bytes: max_bytes - 3,
      count: 2,
      max_bytes,
    })
    const refused = await expectCallError(save('b'))
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      413,
      'storage_full',
      '文件空间已满，请删除不用的文件，或提升用户等级后再上传',
    ])
    await world.db().execute(sql`UPDATE users SET level = 'pro-1' WHERE email = 'room@example.com'`)
    await save('b')
    expect((await client.call('GET /api/user/storage', {})).max_bytes).toBe(10 * max_bytes)
  })

  test('has an end for files that are saved at one moment, and none for the same content again', async () => {
    const client = await world.user()
    await fill(client, max_bytes - 9)
    const inputs = await Promise.all(
      ['aaaa', 'bbbb', 'cccc', 'dddd'].map(async (content) => ({
        md5: toMd5(content),
        name: 'a.txt',
        type: '',
        size: 4,
        url: await putFile(world, client, { name: 'a.txt', content }),
      })),
    )
    const channels = ['dati', 'zhiku']
    const answers = await Promise.allSettled(
      inputs.flatMap((input) =>
        channels.map((channel) => client.call('POST /api/block', { body: { ...input, channel } })),
      ),
    )
    const { used_bytes } = await client.call('GET /api/user/storage', {})
    expect(used_bytes).toBe(max_bytes - 9 + 4 * answers.filter(({ status }) => status === 'fulfilled').length)
    expect(used_bytes).toBeLessThanOrEqual(max_bytes)
  })
})
