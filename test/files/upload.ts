import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import type { Block } from '#contract/blocks.ts'
import type { UploadCredential } from '#contract/files.ts'
import { toObjectPath } from '#contract/uploads.ts'
import type { Client } from '../world/client.ts'

export const toMd5 = (content: string | Uint8Array): string => createHash('md5').update(content).digest('hex')

/** Creates an independent client of S3 with the keys of a credential. */
export const createS3Client = ({ secret_id, secret_key, token, region }: UploadCredential): AwsClient =>
  new AwsClient({
    accessKeyId: secret_id,
    secretAccessKey: secret_key,
    sessionToken: token,
    region,
    service: 's3',
    retries: 0,
  })

export type TestFile = { name: string; type?: string; content: string | Uint8Array; channel?: string }

/** Computes a file's place in the store, as a browser does. */
export function toObjectUrl(
  world: { url: string },
  { bucket_url, prefix, day }: UploadCredential,
  { name, type = '', content }: TestFile,
): { path: string; url: string } {
  const path = prefix + toObjectPath(toMd5(content), { name, type }, day)
  return { path, url: new URL(`${bucket_url}/${path}`, world.url).href }
}

/** Puts a file into the store in one piece. Returns its url. */
export async function putFile(world: { url: string }, client: Client, file: TestFile): Promise<string> {
  const credential = await client.call('GET /api/cos/credential', {})
  const { path, url } = toObjectUrl(world, credential, file)
  const body = Buffer.from(file.content)
  const response = await createS3Client(credential).fetch(url, { method: 'PUT', body })
  if (!response.ok) throw new Error(await response.text())
  return credential.base_url + path
}

/** Uploads a file and saves it as a block. */
export async function upload(world: { url: string }, client: Client, file: TestFile): Promise<Block> {
  const { name, type = '', channel = 'dati' } = file
  const content = Buffer.from(file.content)
  const url = await putFile(world, client, file)
  const body = { md5: toMd5(content), name, type, size: content.length, url, channel }
  return (await client.call('POST /api/block', { body })).data
}

/** Returns a block once its reading has ended. */
export async function waitUntilRead(client: Client, id: string): Promise<Block> {
  for (;;) {
    const { data } = await client.call('GET /api/block/{id}', { params: { id } })
    if (data.status > 1) return data
    await sleep(50)
  }
}
