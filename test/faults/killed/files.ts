import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Block } from '#contract/blocks.ts'
import { createS3Client, toMd5, toObjectUrl } from '../../files/upload.ts'
import type { StartedProcess } from '../../world/use-world.ts'
import { IS_FULL, type StartedWork } from './work.ts'

const PART = 5 * 1024 * 1024
const PARTS = 3
const SECTIONS = IS_FULL ? 4_000 : 2_000

type Starters = {
  startReading(round: number): Promise<StartedWork>
  startUpload(round: number): Promise<StartedWork>
  /** Returns the names of all stored files of a kind. */
  listFiles(folder: 'uploads' | 'objects'): Promise<string[]>
}

/** Has a book read and a film uploaded: each piece must be read once, and no acknowledged part sent again. */
export async function prepareFiles(app: StartedProcess): Promise<Starters> {
  const client = await app.user('files@example.com')

  const save = async (name: string, type: string, content: Buffer, path: string): Promise<Block> => {
    const body = {
      md5: toMd5(content),
      name,
      type,
      size: content.length,
      url: `/files/${path}`,
      channel: 'dati',
    }
    return (await client.call('POST /api/block', { body })).data
  }
  const listFiles = async (folder: string): Promise<string[]> =>
    (
      await readdir(join(app.data_dir, 'files', folder), { recursive: true, withFileTypes: true }).catch(
        () => [],
      )
    )
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)

  /** Begins an upload whose parts are sent until the process dies; the check finishes it. */
  async function startUpload(round: number): Promise<StartedWork> {
    const content = Buffer.concat(
      Array.from({ length: PARTS }, (_, part) => Buffer.alloc(PART, `${round}-${part}`)),
    )
    const credential = await client.call('GET /api/cos/credential', {})
    const s3 = createS3Client(credential)
    const { url, path } = toObjectUrl(app, credential, { name: 'x.mp4', type: 'video/mp4', content })
    const xml = await (await s3.fetch(`${url}?uploads`, { method: 'POST' })).text()
    const id = /<UploadId>(.*?)<\/UploadId>/.exec(xml)![1]!
    const acknowledged = new Map<number, string>()
    const putPart = async (number: number): Promise<void> => {
      const body = content.subarray((number - 1) * PART, number * PART)
      const response = await s3.fetch(`${url}?partNumber=${number}&uploadId=${id}`, { method: 'PUT', body })
      if (response.ok) acknowledged.set(number, response.headers.get('ETag')!)
    }
    const numbers = Array.from({ length: PARTS }, (_, part) => part + 1)
    const sendUntilKilled = async (): Promise<void> => {
      for (const number of numbers) {
        try {
          await putPart(number)
        } catch {
          // The broken connection is intended. No request goes to the process that starts next.
          return
        }
      }
    }
    const sent = sendUntilKilled()
    const check = async () => {
      await sent
      const listed = await (await s3.fetch(`${url}?uploadId=${id}`)).text()
      for (const [number, etag] of acknowledged)
        expect(listed).toContain(
          `<PartNumber>${number}</PartNumber><ETag>${etag.replaceAll('"', '&#34;')}</ETag>`,
        )
      for (const number of numbers) if (!acknowledged.has(number)) await putPart(number)
      const parts = numbers
        .map(
          (number) =>
            `<Part><PartNumber>${number}</PartNumber><ETag>${acknowledged.get(number)}</ETag></Part>`,
        )
        .join('')
      const body = `<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`
      expect((await s3.fetch(`${url}?uploadId=${id}`, { method: 'POST', body })).status).toBe(200)
      // Size and MD5 come from the stored bytes.
      expect(await save('x.mp4', 'video/mp4', content, path)).toMatchObject({ md5: toMd5(content) })
    }
    return { check }
  }

  /** Saves a book and begins its reading. */
  async function startReading(round: number): Promise<StartedWork> {
    const sections = Array.from(
      { length: SECTIONS },
      (_, n) => `# 第${n}节（${round}）\n\n${'问渠那得清如许？'.repeat(15)}`,
    )
    const content = Buffer.from(sections.join('\n\n'))
    const credential = await client.call('GET /api/cos/credential', {})
    const { url, path } = toObjectUrl(app, credential, { name: '书.md', content })
    await createS3Client(credential).fetch(url, { method: 'PUT', body: content })
    const { id } = await save('书.md', '', content, path)
    const check = async () => {
      const get = async () => (await client.call('GET /api/block/{id}', { params: { id } })).data
      await expect.poll(async () => (await get()).status, { timeout: 90_000 }).toBeGreaterThan(1)
      const block = await get()
      expect([block.status, block.error]).toEqual([2, null])
      const read: string[] = []
      for (let after = 0; ;) {
        const { data } = await client.call('GET /api/block/{id}/detail', { params: { id }, query: { after } })
        expect(data.items.map(({ n }) => n)).toEqual(data.items.map((_, at) => after + at + 1))
        read.push(...data.items.map(({ text }) => text))
        after += data.items.length
        if (!data.has_more) break
      }
      expect(read).toHaveLength(block.pieces)
      expect(read.join('').length).toBe(block.chars)
      expect(read.join('\n').match(/第\d+节/g)).toHaveLength(SECTIONS)
    }
    return { check }
  }

  return { startReading, startUpload, listFiles }
}
