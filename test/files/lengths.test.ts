import { readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getSessionCookie } from '#server/accounts/auth/cookie.ts'
import { parseCallKey } from '#contract/call.ts'
import type { Call, CallKey } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { createId } from '#server/core/ids.ts'
import type { Client } from '../world/client.ts'
import { getSessionToken } from '../world/sign-in.ts'
import { useOwnWorld, useWorld } from '../world/use-world.ts'
import type { World } from '../world/world.ts'
import { askOnOneConnection } from './raw-connection.ts'
import type { RawAnswer } from './raw-connection.ts'
import { assumeRole, startS3Double, toS3Environment } from './s3-double.ts'
import type { S3Double } from './s3-double.ts'
import { putFile, upload } from './upload.ts'

let double: S3Double
beforeAll(async () => {
  double = await startS3Double()
  double.sts = assumeRole
})
afterAll(() => double.close())

const foreign =
  'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n{"ok":"foreign"}'
const content = '问渠那得清如许？为有源头活水来。'
/** Bytes that replace the object after it was saved. */
const REPLACEMENTS: [name: string, bytes: string][] = [
  ['longer', content + foreign],
  ['shorter', content.slice(0, 5)],
  ['as long, of other bytes', content.replace('问', '间')],
]

/** A store whose objects a test can change behind the server's back. */
type Place = {
  world: World
  write(key: string, bytes: Buffer): Promise<void>
  remove(key: string): Promise<void>
}
const worlds = {
  local: useWorld(),
  s3: useOwnWorld({ env: () => toS3Environment(double) }),
}
const places: Record<keyof typeof worlds, Omit<Place, 'world'>> = {
  local: {
    write: (key, bytes) => writeFile(join(worlds.local.data_dir, 'files/objects', key), bytes),
    remove: (key) => rm(join(worlds.local.data_dir, 'files/objects', key)),
  },
  s3: {
    write: async (key, bytes) => double.set(key, bytes),
    remove: async () => double.clear(),
  },
}

const toCookie = (client: Client): string => `${getSessionCookie('http:')}=${getSessionToken(client)}`

describe.each(['local', 's3'] as const)('bytes of the store (%s)', (kind) => {
  const world = worlds[kind]
  const place = places[kind]
  let client: Client
  let pictures: string[]
  beforeAll(async () => {
    client = await world.user()
    const png = createCanvas(300, 200).toBuffer('image/png')
    const source = await putFile(world, client, { name: 'a.png', content: png })
    pictures = [(await client.call('PUT /api/user/info', { body: { avatar: source } })).avatar]
  })

  /** Requests the file in each way, with another person's call after each on the same connection. */
  const walk = async (path: string): Promise<{ answers: (RawAnswer | null)[]; others: string[] }> => {
    const Cookie = toCookie(client)
    const asked: Parameters<typeof askOnOneConnection>[1] = [
      { path, headers: { Cookie } },
      { path, method: 'HEAD', headers: { Cookie } },
      { path: `${path}?download`, headers: { Cookie } },
      { path, headers: { Cookie, Range: 'bytes=2-7' } },
      { path, headers: { Cookie, Range: 'bytes=-4' } },
      { path, method: 'HEAD', headers: { Cookie, Range: 'bytes=3-' } },
    ]
    const pairs = await Promise.all(
      asked.map((one) => askOnOneConnection(world.url, [one, { path: '/healthz' }])),
    )
    return {
      answers: pairs.map(([answer]) => answer ?? null),
      // A closed connection answers no other request.
      others: pairs.flatMap(([, other]) => (other ? [other.body.toString()] : [])),
    }
  }
  const save = async (name: string): Promise<string> =>
    (await upload(world, client, { name, content, channel: name })).url

  test('come as many as were said, whole and in parts', async () => {
    const path = await save('whole')
    const bytes = Buffer.from(content)
    const { answers, others } = await walk(path)
    expect(answers.map((answer) => answer?.status)).toEqual([200, 200, 200, 206, 206, 206])
    expect(answers.map((answer) => answer?.headers['content-length'])).toEqual(
      [bytes.length, bytes.length, bytes.length, 6, 4, bytes.length - 3].map(String),
    )
    expect(answers[3]!.body).toEqual(bytes.subarray(2, 8))
    expect(others).toEqual(Array.from({ length: 6 }, () => '{"ok":true}'))
  })

  test.each(REPLACEMENTS)(
    'of an object that became %s: none, and nobody else is answered by them',
    async (_, bytes) => {
      const path = await save('replaced')
      await place.write(path.slice('/files/'.length), Buffer.from(bytes))
      const { answers, others } = await walk(path)
      expect(answers.map((answer) => answer?.status)).toEqual([404, 404, 404, 404, 404, 404])
      expect(answers.map((answer) => answer!.body.toString()).join()).not.toMatch(/渠那|foreign/)
      expect(others).toEqual(Array.from({ length: 6 }, () => '{"ok":true}'))
      // With its bytes restored, the file is what it was.
      await place.write(path.slice('/files/'.length), Buffer.from(content))
      expect((await walk(path)).answers[0]!.body.toString()).toBe(content)
    },
  )

  test('of a picture, too', async () => {
    for (const picture of pictures) {
      const key = picture.replace('/pictures/', 'p/')
      const ask = () => askOnOneConnection(world.url, [{ path: picture }, { path: '/healthz' }])
      expect((await ask())[0]?.status).toBe(200)
      await place.write(key, Buffer.from(foreign))
      const [answer, other] = await ask()
      expect([answer?.status, other?.body.toString()]).toEqual([404, '{"ok":true}'])
    }
  })
})

test('every address that can be read says the length that it sends, or how long it is piece by piece', async () => {
  const { local: world } = worlds
  const Cookie = toCookie(await world.user())
  const reads = Object.values(calls).flatMap((feature) =>
    (Object.entries(feature) as [CallKey, Call][])
      .filter(([key, { response }]) => key.startsWith('GET ') && response !== 'stream')
      .map(([key]) => parseCallKey(key).path.replace(/\{\w+\}/g, createId())),
  )
  const assets = (await (await fetch(world.url)).text()).match(/\/assets\/[\w.-]+/g) ?? []
  const paths = [...reads, '/', '/chat', '/nowhere', '/api/openapi.json', '/boot.js', ...new Set(assets)]
  expect(paths.length).toBeGreaterThan(60)
  for (const path of paths) {
    const asked = ['GET', 'HEAD'].map((method) => ({ method, path, headers: { Cookie } }))
    const answers = await askOnOneConnection(world.url, [...asked, { path: '/healthz' }])
    expect([path, answers[2]?.body.toString()]).toEqual([path, '{"ok":true}'])
  }
})

test('a byte that was turned on the disk is noticed, also where the time of the file was put back', async () => {
  const { local: world } = worlds
  const client = await world.user()
  const { url } = await upload(world, client, { name: 'turned.txt', content: `${content}.` })
  expect(await (await client.fetch(url)).text()).toBe(`${content}.`)
  const path = join(world.data_dir, 'files/objects', url.slice('/files/'.length))
  const bytes = await readFile(path)
  bytes[3]! ^= 1
  await writeFile(path, bytes)
  await utimes(path, new Date(0), new Date(0))
  expect((await client.fetch(url)).status).toBe(404)
  // The same upload again restores it.
  await putFile(world, client, { name: 'turned.txt', content: `${content}.` })
  expect(await (await client.fetch(url)).text()).toBe(`${content}.`)
})

test.each([
  ['fewer', (bytes: Buffer) => bytes.subarray(0, -3)],
  ['more', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from(foreign)])],
])('the connection ends where the store gives %s bytes than it said', async (_, distort) => {
  const { s3: world } = worlds
  const client = await world.user()
  const { url } = await upload(world, client, { name: '中.txt', content })
  const headers = { Cookie: toCookie(client) }
  expect((await client.fetch(url)).status).toBe(200)
  double.distort = distort
  const answers = await askOnOneConnection(world.url, [{ path: url, headers }, { path: '/healthz' }]).finally(
    () => (double.distort = null),
  )
  expect(answers).toEqual([null, null])
})
