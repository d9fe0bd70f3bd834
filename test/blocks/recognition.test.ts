import { beforeAll, expect, test } from 'vitest'
import type { Block } from '#contract/blocks.ts'
import { replacePage } from '#server/documents/blocks/reading.ts'
import { upload, waitUntilRead } from '../files/upload.ts'
import { makeScannedPdf } from '../formats/make-pdf.ts'
import { exhaustDelays } from '../tasks/delays.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()
let client: Client
let scan: Block

beforeAll(async () => {
  client = await world.user()
  const { id } = await upload(world, client, {
    name: '扫描.pdf',
    type: 'application/pdf',
    content: makeScannedPdf(),
  })
  scan = await waitUntilRead(client, id)
})

const readAgain = async (body: { pages?: number[]; model?: string }): Promise<Block> => {
  await client.call('POST /api/block/{id}/retry', { params: { id: scan.id }, body })
  return waitUntilRead(client, scan.id)
}
const getTexts = async (): Promise<string[]> => {
  const { data } = await client.call('GET /api/block/{id}/detail', { params: { id: scan.id } })
  return data.items.map(({ n, text, place }) => `${n} p${place.page} ${text}`)
}
const getBalance = async () => (await client.call('GET /api/user/info', {})).balance

test('a page without text is reported, and read again by a vision model at its price, which changes no other page', async () => {
  expect(scan.report).toMatchObject({ unit: 'page', total: 3, blank: [2] })
  expect(await getTexts()).toEqual(['1 p1 first', '2 p3 third'])
  world.upstream.script('seeing', { text: '问渠那得清如许' })
  const before = await getBalance()
  const block = await readAgain({ pages: [2], model: 'seeing' })
  expect(block).toMatchObject({ status: 2, error: null, pieces: 3 })
  expect(block.report).toMatchObject({ total: 3, blank: [], recognised: [2] })
  expect(await getTexts()).toEqual(['1 p1 first', '2 p2 问渠那得清如许', '3 p3 third'])
  // One coin a call.
  expect(before - (await getBalance())).toBeCloseTo(1)
  const { messages } = world.upstream.requests.at(-1)!.body as { messages: { content: unknown }[] }
  expect(JSON.stringify(messages.at(-1)!.content)).toContain('data:image/png;base64,')
})

test('by the OCR of the server it costs nothing', async () => {
  const before = await getBalance()
  await readAgain({ pages: [2] })
  expect((await getTexts())[1]).toMatch(/^2 p2 .*Invoice 2026/s)
  expect(await getBalance()).toBe(before)
})

test('what fails leaves the document as it was, and says why', async () => {
  const texts = await getTexts()
  world.upstream.script('seeing', { status: 500 })
  const params = { id: scan.id }
  await client.call('POST /api/block/{id}/retry', { params, body: { pages: [2], model: 'seeing' } })
  const getDelay = async () => (await client.call('GET /api/block/{id}', { params })).data.progress?.delay
  await expect.poll(getDelay).toBe('模型服务暂时出错，稍后自动重试')
  await exhaustDelays(world.db())
  const block = await waitUntilRead(client, scan.id)
  expect(block).toMatchObject({ status: 2, error: '模型服务出错，请重试' })
  expect(await getTexts()).toEqual(texts)
})

test('a model that does not see, or that there is not, is refused before anything changes', async () => {
  for (const [model, code] of [
    ['flat', 'content_unsupported'],
    ['nothing', 'model_not_found'],
    ['scripted-tts', 'model_not_found'],
  ] as const) {
    const body = { pages: [2], model }
    const error = await expectCallError(
      client.call('POST /api/block/{id}/retry', { params: { id: scan.id }, body }),
    )
    expect(error.body.code).toBe(code)
  }
})

test('a reading that is stopped hangs up on its model, and leaves the document as it was', async () => {
  const texts = await getTexts()
  world.upstream.script('seeing', { text: '天光云影共徘徊', stall: 'headers' })
  const before = world.upstream.requests.length
  const params = { id: scan.id }
  await client.call('POST /api/block/{id}/retry', { params, body: { pages: [2], model: 'seeing' } })
  await expect.poll(() => world.upstream.requests.length).toBe(before + 1)
  try {
    await client.call('POST /api/block/{id}/cancel', { params })
    await expect.poll(() => world.upstream.requests[before]!.aborted).toBe(true)
  } finally {
    world.upstream.release()
  }
  expect((await waitUntilRead(client, scan.id)).status).toBe(2)
  expect(await getTexts()).toEqual(texts)
})

test('the pieces of a page stand where the page does', () => {
  const piece = (page: number, text = '') => ({ text, place: { page } })
  const pieces = [piece(1), piece(3, 'old'), piece(3, 'older'), piece(5)]
  expect(replacePage(pieces, 3, [piece(3, 'new')])).toEqual([piece(1), piece(3, 'new'), piece(5)])
  expect(replacePage(pieces, 2, [piece(2)]).map(({ place }) => place.page)).toEqual([1, 2, 3, 3, 5])
  expect(replacePage(pieces, 9, [piece(9)]).at(-1)).toEqual(piece(9))
  expect(replacePage(pieces, 3, [])).toEqual(pieces)
})
