import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Client } from '../world/client.ts'
import { expectCallError } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'
import { passDelays, exhaustDelays } from '../tasks/delays.ts'
import { makeDocx, replyWith } from '../translate/document.ts'
import { assumeRole, startS3Double, toS3Environment } from './s3-double.ts'
import type { S3Double } from './s3-double.ts'
import { putFile, toMd5, upload, waitUntilRead } from './upload.ts'

const DELAY = '存储暂时不可用，稍后自动重试'
let double: S3Double
let client: Client
const world = useOwnWorld({
  env: async () => {
    double = await startS3Double()
    double.sts = assumeRole
    return toS3Environment(double)
  },
})
beforeAll(async () => {
  client = await world.user()
})
beforeEach(() => {
  double.trouble = null
})
afterAll(() => double.close())

const get = async (id: string) => (await client.call('GET /api/block/{id}', { params: { id } })).data
/** Waits until a reading is delayed, and returns what its owner is told. */
const waitForDelay = async (id: string) => {
  await expect.poll(async () => (await get(id)).progress?.delay).toBeTruthy()
  const { status, error, progress } = await get(id)
  expect(status).toBeLessThan(2)
  return { error, delay: progress!.delay }
}
/** Lets a recorded file be read again while its store is in trouble. */
const readAgain = async (id: string, trouble: S3Double['trouble']) => {
  double.trouble = trouble
  await client.call('POST /api/block/{id}/retry', { params: { id }, body: {} })
}

test.each([
  ['is too busy', 'busy'],
  ['refuses connections', 'refuse'],
  ['hangs up in the middle of a file', 'cut'],
] as const)('a document whose store %s is read when it is back', async (_, trouble) => {
  const { id } = await upload(world, client, {
    name: `${trouble}.md`,
    content: `# ${trouble}\n\n半亩方塘一鉴开`,
  })
  expect((await waitUntilRead(client, id)).status).toBe(2)
  await readAgain(id, trouble)
  expect(await waitForDelay(id)).toEqual({ error: null, delay: DELAY })
  double.trouble = null
  await passDelays(world.db())
  expect(await waitUntilRead(client, id)).toMatchObject({ status: 2, error: null, progress: null, pieces: 1 })
})

test('a document whose object is gone is looked for again, and is at last told to be gone', async () => {
  const { id, url } = await upload(world, client, { name: '露.md', content: '日出即干' })
  await waitUntilRead(client, id)
  expect(url).toMatch(/^\/files\/s\//)
  double.clear()
  await readAgain(id, null)
  expect(await waitForDelay(id)).toEqual({ error: null, delay: '暂时找不到这个文件，稍后自动重试' })
  await exhaustDelays(world.db())
  expect(await waitUntilRead(client, id)).toMatchObject({
    status: 3,
    error: '存储里找不到这个文件了，请重新上传',
  })
})

test('a translation whose store is away waits, and asks no model meanwhile', async () => {
  world.upstream.script('flat', { reply: replyWith() })
  const file = { name: 'a.docx', content: makeDocx(['The gate is open.']), channel: 'fanyi' }
  const { id: block } = await upload(world, client, file)
  const before = world.upstream.requests.length
  double.trouble = 'busy'
  const body = { biz_type: 'file' as const, block, target_lang: 'zh-CN' as const, model: 'flat' }
  const { chat_id: id } = await client.call('POST /api/translate', { body })
  const getTask = async () =>
    (await client.call('GET /api/task/{id}/result', { params: { id }, query: {} })).task
  await expect.poll(async () => (await getTask()).delay).toBe(DELAY)
  expect(await getTask()).toMatchObject({ status: 0, error: null })
  expect(world.upstream.requests.length).toBe(before)
  double.trouble = null
  await passDelays(world.db())
  await expect.poll(async () => (await getTask()).status).toBe(2)
})

test('an upload that cannot be saved while the store is away may be saved later', async () => {
  const file = { name: '渠.txt', content: '为有源头活水来', channel: 'dati' }
  const url = await putFile(world, client, file)
  const size = Buffer.byteLength(file.content)
  const save = () =>
    client.call('POST /api/block', {
      body: { md5: toMd5(file.content), name: file.name, size, url, channel: 'dati' },
    })
  double.trouble = 'busy'
  const { status, body } = await expectCallError(save())
  expect([status, body.code, body.message]).toEqual([
    503,
    'storage_unavailable',
    '文件存储暂时不可用，请稍后再试',
  ])
  double.trouble = null
  expect((await waitUntilRead(client, (await save()).data.id)).status).toBe(2)
})
