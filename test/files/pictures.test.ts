import { once } from 'node:events'
import { readdir, utimes } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { beforeAll, describe, expect, test } from 'vitest'
import { errors } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { createLog } from '#server/core/log.ts'
import { readConfig } from '#server/core/config.ts'
import { createFiles } from '#server/files/files.ts'
import { createUsers } from '#server/accounts/users/users.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useResource, useWorld } from '../world/use-world.ts'
import { putFile, toMd5, upload } from './upload.ts'

const world = useWorld()
let client: Client
beforeAll(async () => {
  client = await world.user()
})

/** Draws red on the left, blue on the right. */
function drawPhoto(width: number, height: number, type: 'image/jpeg' | 'image/png' = 'image/png'): Buffer {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#f00'
  context.fillRect(0, 0, width / 2, height)
  context.fillStyle = '#00f'
  context.fillRect(width / 2, 0, width / 2, height)
  return type === 'image/jpeg' ? canvas.toBuffer(type) : canvas.toBuffer('image/png')
}

const setAvatar = (avatar: string, who = client) => who.call('PUT /api/user/info', { body: { avatar } })
const getAvatar = async () => (await client.call('GET /api/user/info', {})).avatar
const put = (content: string | Uint8Array, name = 'a.png', who = client) =>
  putFile(world, who, { name, content })

async function readPixels(url: string, points: [x: number, y: number][]): Promise<number[][]> {
  const image = await loadImage(Buffer.from(await (await world.visitor().fetch(url)).arrayBuffer()))
  const canvas = createCanvas(image.width, image.height)
  const context = canvas.getContext('2d')
  context.drawImage(image, 0, 0)
  return points.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data])
}
/** Tolerates the colours of lossy pictures. */
const isRed = ([red = 0, , blue = 0]: number[] = []): boolean => red > 200 && blue < 60
const isBlue = ([red = 0, , blue = 0]: number[] = []): boolean => blue > 200 && red < 60

test('an avatar is the middle of a picture as a square of 256 points, for everybody and for ever', async () => {
  const { avatar } = await setAvatar(await put(drawPhoto(900, 300)))
  expect(avatar).toMatch(/^\/pictures\/[0-9a-f]{32}-[0-9a-f]{32}\.webp$/)
  expect(await getAvatar()).toBe(avatar)
  const response = await world.visitor().fetch(avatar)
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/webp',
    'content-length': String(bytes.length),
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  })
  expect(response.headers.getSetCookie()).toEqual([])
  const { width, height } = await loadImage(bytes)
  expect([width, height]).toEqual([256, 256])
  const [left, right] = await readPixels(avatar, [
    [20, 128],
    [236, 128],
  ])
  expect([isRed(left), isBlue(right)]).toEqual([true, true])
})

test('of a photo nothing is left but what it shows, upright: neither place nor camera', async () => {
  const photo = drawPhoto(600, 400, 'image/jpeg')
  // TIFF's header, three entries: the camera, orientation 6, the directory of the place.
  const exif = Buffer.from(
    '45786966000049492a000800000003000f010200100000003200000012010300010000000600000025880400010000004200000000000000',
    'hex',
  )
  const body = Buffer.concat([
    exif,
    Buffer.from('SECRET-CAMERA\0\0\0'),
    Buffer.from('SECRET-PLACE 31.2N 121.4E\0'),
  ])
  const length = Buffer.from([0, 0])
  length.writeUInt16BE(body.length + 2)
  const xmp = Buffer.from('ffe1002c', 'hex')
  const marked = [
    Buffer.from('ffe1', 'hex'),
    length,
    body,
    xmp,
    Buffer.from('http://ns.adobe.com/xap/1.0/\0SECRET-XMP !!'),
  ]
  const source = Buffer.concat([photo.subarray(0, 2), ...marked, photo.subarray(2)])
  expect(source.includes('SECRET')).toBe(true)
  const { avatar } = await setAvatar(await put(source, 'IMG_0001.JPG'))
  const bytes = Buffer.from(await (await client.fetch(avatar)).arrayBuffer())
  expect([bytes.includes('SECRET'), bytes.includes('EXIF'), bytes.includes('XMP ')]).toEqual([
    false,
    false,
    false,
  ])
  const [top, bottom] = await readPixels(avatar, [
    [128, 20],
    [128, 236],
  ])
  expect([isRed(top), isBlue(bottom)]).toEqual([true, true])
})

test('what is transparent stays so, and an animation stands still', async () => {
  const canvas = createCanvas(64, 64)
  const { avatar } = await setAvatar(await put(canvas.toBuffer('image/png')))
  expect(await readPixels(avatar, [[128, 128]])).toEqual([[0, 0, 0, 0]])
  const gif = Buffer.from(
    'R0lGODlhAQABAIAAAP8AAP///yH/C05FVFNDQVBFMi4wAwEAAAAh+QQACgAAACwAAAAAAQABAAACAkQBACH5BAAKAAAALAAAAAABAAEAAAICTAEAOw==',
    'base64',
  )
  const still = await setAvatar(await put(gif, 'a.gif'))
  expect((await readPixels(still.avatar, [[128, 128]])).map(isRed)).toEqual([true])
})

test('name and avatar change apart from each other, and are shown with a share', async () => {
  const someone = await world.user()
  const avatar = (await setAvatar(await put(drawPhoto(300, 300), 'a.png', someone), someone)).avatar
  const saved = await someone.call('PUT /api/user/info', { body: { name: '  朱熹 ' } })
  expect(saved).toMatchObject({ name: '朱熹', avatar })
  expect(await someone.call('GET /api/user/info', {})).toEqual(saved)
  expect(await someone.call('PUT /api/user/info', { body: {} })).toEqual(saved)
  // The form sends unchanged fields along with changed ones.
  expect((await someone.call('PUT /api/user/info', { body: { name: '晦庵', avatar } })).avatar).toBe(avatar)
  world.upstream.script('scripted', { text: '好' })
  await someone.ask('问')
  const { share } = await someone.call('GET /api/chat/session/link', {})
  const shared = await world.visitor().call('GET /api/session/{id}/messages', { params: { id: share.id } })
  expect(shared.user).toEqual({ name: '晦庵', avatar })
  expect((await setAvatar('', someone)).avatar).toBe('')
  // An empty name leaves the name as it is.
  expect((await someone.call('PUT /api/user/info', { body: { name: ' ' } })).name).toBe('晦庵')
  for (const name of ['长'.repeat(31), '\u202e倒', '换\n行']) {
    const error = await expectCallError(someone.call('PUT /api/user/info', { body: { name } }))
    expect([name, error.status]).toEqual([name, 422])
  }
  expect((await expectCallError(setAvatar('', world.visitor()))).status).toBe(401)
})

const expectRefused = async (url: string, code: ErrorCode): Promise<void> => {
  const before = await getAvatar()
  const { status, body } = await expectCallError(setAvatar(url))
  expect([url, status, body.code, body.message]).toEqual([
    url,
    errors[code].status,
    code,
    errors[code].message,
  ])
  expect(await getAvatar()).toBe(before)
}

describe('a picture is what this user has uploaded, and nothing is fetched for it', () => {
  let connections = 0
  const canary = useResource(
    async () => {
      const server = createServer(() => void connections++).listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    },
    async (server) => void server.close(),
  )
  beforeAll(async () => {
    client = await world.user()
  })

  test('somebody else’s file, their avatar and what never was are refused alike', async () => {
    const other = await world.user()
    const content = drawPhoto(300, 300)
    const foreign = await put(content, 'a.png', other)
    const block = await upload(world, other, {
      name: 'b.png',
      type: 'image/png',
      content: drawPhoto(310, 300),
    })
    const { avatar } = await setAvatar(foreign, other)
    const own = (await client.call('GET /api/cos/credential', {})).prefix
    for (const url of [
      foreign,
      block.url,
      avatar,
      foreign.replace(/u\/[^/]+\//, own),
      `/files/${own}image/2026/11/22/${toMd5('never')}.png`,
      `/files/${own}../${foreign.slice('/files/u/'.length)}`,
    ])
      await expectRefused(url, 'picture_missing')
  })

  test.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://127.0.0.1/a.png',
    '//127.0.0.1/a.png',
    'https://example.com/a.png',
    'file:///etc/passwd',
    '/etc/passwd',
    '/files/../../etc/passwd',
    '/pictures/../files/x',
    'data:image/png;base64,iVBORw0KGgo=',
    'javascript:alert(1)',
  ])('%s', (url) => expectRefused(url, 'picture_missing'))

  test('an address of another server, or of this one', async () => {
    await expectRefused(`http://127.0.0.1:${(canary.address() as AddressInfo).port}/a.png`, 'picture_missing')
    await expectRefused(`${world.url}${await put(drawPhoto(300, 301))}`, 'picture_missing')
    expect(connections).toBe(0)
  })
})

describe('what is no picture is refused, whatever it is called', () => {
  beforeAll(async () => {
    client = await world.user()
  })
  const png = drawPhoto(300, 300)
  const toHeader = (width: number, height: number): Buffer => {
    const header = Buffer.from('89504e470d0a1a0a0000000d4948445200000000000000000802000000', 'hex')
    header.writeUInt32BE(width, 16)
    header.writeUInt32BE(height, 20)
    return Buffer.concat([header, png.subarray(29)])
  }
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
  test.each<[string, ErrorCode, string | Uint8Array]>([
    ['a drawing with a script.svg', 'picture_unreadable', svg],
    ['a drawing that is called a picture.png', 'picture_unreadable', `${svg}${' '.repeat(100)}`],
    [
      'a page that is called a picture.png',
      'picture_unreadable',
      `<!doctype html><script>alert(1)</script>${' '.repeat(50)}`,
    ],
    ['a picture that was cut off.png', 'picture_unreadable', png.subarray(0, 60)],
    ['a picture of no size.png', 'picture_unreadable', toHeader(0, 300)],
    ['a picture that claims to be immense.png', 'picture_too_large', toHeader(100_000, 100_000)],
    ['a picture that lies about its size.png', 'picture_unreadable', toHeader(7_000, 7_000)],
    [
      'a phone’s format that is not read.heic',
      'picture_unreadable',
      Buffer.concat([Buffer.from('000000186674797068656963', 'hex'), Buffer.alloc(100)]),
    ],
    ['a large file.png', 'picture_too_large', Buffer.concat([png, Buffer.alloc(10 * 1024 * 1024)])],
    ['a few bytes.png', 'picture_unreadable', 'x'],
  ])('%s: %s', async (name, code, content) => expectRefused(await put(content, name), code))
})

test('a page behind the head of a picture is a picture without the page', async () => {
  const page = `GIF89a\x01\0\x01\0/*<script>alert(1)</script>*/${' '.repeat(50)}`
  const { avatar } = await setAvatar(await put(page, 'a.gif'))
  const response = await client.fetch(avatar)
  expect(response.headers.get('Content-Type')).toBe('image/webp')
  expect(Buffer.from(await response.arrayBuffer()).includes('script')).toBe(false)
})

test('of one person one picture is drawn at a time', async () => {
  const url = await put(drawPhoto(320, 300))
  const answers = await Promise.allSettled([setAvatar(url), setAvatar(url)])
  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const refused = answers.find(({ status }) => status === 'rejected') as PromiseRejectedResult
  expect(refused.reason.body.code).toBe('upload_busy')
})

test.each([
  '0'.repeat(32),
  `${'0'.repeat(32)}.webp`,
  '%2e%2e%2f%2e%2e%2fserver.json',
  `${'0'.repeat(32)}.webp%2f..`,
])('there is no picture %s', async (name) => {
  const response = await client.fetch(`/pictures/${name}`)
  expect([response.status, response.headers.get('Cache-Control')]).toEqual([404, 'no-store'])
})

test('a picture that nobody shows any more is gone after a day, and the one that is shown stays', async () => {
  const someone = await world.user()
  const old = (await setAvatar(await put(drawPhoto(330, 300), 'a.png', someone), someone)).avatar
  const shown = (await setAvatar(await put(drawPhoto(340, 300), 'a.png', someone), someone)).avatar
  const config = readConfig({ DATA_DIR: world.data_dir, NODE_ENV: 'test', APP_SECRET: 'x'.repeat(32) })
  const db = world.db()
  const users = createUsers({ db, config } as never)
  const files = createFiles({ db, config, users, log: createLog('silent') })
  files.definePictures(users.listUsedAvatars)
  const getStatuses = () =>
    Promise.all([old, shown].map(async (url) => (await world.visitor().fetch(url)).status))
  const folder = join(world.data_dir, 'files', 'objects', 'p')
  const sweepAfter = async (hours: number) => {
    const then = new Date(Date.now() - hours * 3_600_000)
    for (const name of await readdir(folder)) await utimes(join(folder, name), then, then)
    await files.sweep()
  }
  await sweepAfter(23)
  expect(await getStatuses()).toEqual([200, 200])
  await sweepAfter(25)
  expect(await getStatuses()).toEqual([404, 200])
})
