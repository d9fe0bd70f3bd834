import type { Block } from '#contract/blocks.ts'
import { SLICE_BYTES, toFileType, toObjectPath, uploadMessages } from '#contract/uploads.ts'
import { isNotFound, request } from '#web/core/api.ts'
import { sharedStorage } from '#web/core/browserStorage.ts'
import { hashFile } from './hashFile.ts'
import {
  forgetCredential,
  getUploadDay,
  isTransient,
  locate,
  objectStore,
  StoreError,
} from './objectStore.ts'
import { toCommonPicture } from './picture/commonPicture.ts'
import { waitForNetwork } from './waitForNetwork.ts'

type UploadProgress = { state: 'hashing' | 'uploading' | 'cut' | 'saving'; percent: number }

export type UploadJob = {
  file: File
  /** The part of the product that the file is for. */
  channel: string
  /** Set once it is known, so that a paused job does not read the file again. */
  md5?: string
  /** Set once the store has the whole file, which then only needs saving. */
  url?: string
}

type Options = { signal: AbortSignal; onProgress: (progress: UploadProgress) => void }

/** A multipart upload that can be continued, also after a reload. */
type OpenUpload = { path: string; upload_id: string }

const MAX_TRIES = 5
const toKey = (md5: string, channel: string) => `wenqu.upload.${channel}.${md5}`
const toPercent = (sentBytes: number, total: number) => Math.round((sentBytes / total) * 100)

/**
 * Uploads a file and returns its block. A file that the person has already is used at once. Others go to the store and are saved
 * as a block; large ones in slices, of which those that have arrived are not sent again. A picture in an uncommon format is
 * converted to JPEG or refused. A cut connection is waited for. Rejects with the signal's reason when that aborts, else with an
 * error whose message is fit to be shown.
 */
export async function uploadFile(job: UploadJob, { signal, onProgress }: Options): Promise<Block> {
  const { channel } = job
  onProgress({ state: 'hashing', percent: 0 })
  const file = (job.file = await toCommonPicture(job.file))
  const onHashed = (share: number) => onProgress({ state: 'hashing', percent: Math.round(share * 100) })
  const md5 = (job.md5 ??= await hashFile(file, { signal, onProgress: onHashed }))
  const again = retrying({ signal, onCut: () => onProgress({ state: 'cut', percent: 0 }) })
  const existingBlock = await again(() => findBlock(md5, channel, signal))
  if (existingBlock) return existingBlock
  const url = (job.url ??= await sendFile({ file, md5, channel }, { signal, onProgress }))
  onProgress({ state: 'saving', percent: 100 })
  const { name, size } = file
  const body = { md5, name, type: toFileType(file), size, url, channel }
  const save = () => request('POST /api/block', { body }, { signal, failed: uploadMessages.save_failed })
  return (await again(save)).data
}

type PictureOptions = { signal: AbortSignal; onProgress: (percent: number) => void }

/** Sends a small picture to the store, for a field `avatar` or `logo`, without making a document. Returns its URL. */
export async function uploadPicture(file: File, { signal, onProgress }: PictureOptions): Promise<string> {
  const md5 = await hashFile(file, { signal, onProgress: () => {} })
  return sendFile(
    { file, md5, channel: 'picture' },
    { signal, onProgress: ({ percent }) => onProgress(percent) },
  )
}

/** The person's document with this MD5, or null; one that could not be read is read again. */
async function findBlock(md5: string, channel: string, signal: AbortSignal): Promise<Block | null> {
  try {
    const { data } = await request(
      'GET /api/block/md5/{md5}',
      { params: { md5 }, query: { channel } },
      { signal },
    )
    if (data.status !== 3) return data
    return (await request('POST /api/block/{id}/retry', { params: { id: data.id }, body: {} }, { signal }))
      .data
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

type Content = { file: File; md5: string; channel: string }

/** Sends the file to the store and returns its URL. */
async function sendFile({ file, md5, channel }: Content, { signal, onProgress }: Options): Promise<string> {
  let percent = 0
  const onSent = (bytes: number) => {
    // A slice that was cut is sent again, without a step back of the progress.
    percent = Math.max(percent, toPercent(bytes, file.size))
    onProgress({ state: 'uploading', percent })
  }
  const again = retrying({ signal, onCut: () => onProgress({ state: 'cut', percent }) })
  onProgress({ state: 'uploading', percent })
  // Made anew for each try, because a connection may be cut until the next day.
  const getPath = async () => toObjectPath(md5, file, await getUploadDay())
  if (file.size > SLICE_BYTES)
    return sendSlices({ file, getPath, record: toKey(md5, channel) }, { signal, onSent, again })
  return again(async () => {
    const { key, url } = await locate(await getPath())
    await objectStore.putObject(key, file.slice(), { signal, onProgress: onSent })
    return url
  })
}

type Retry = <T>(run: () => Promise<T>) => Promise<T>
type SliceOptions = { signal: AbortSignal; onSent: (bytes: number) => void; again: Retry }

async function sendSlices(
  { file, getPath, record }: { file: File; getPath: () => Promise<string>; record: string },
  { signal, onSent, again }: SliceOptions,
): Promise<string> {
  const { open, etags } = await again(() => openUpload(record, getPath, file, signal))
  const { key, url } = await again(() => locate(open.path))
  const { upload_id } = open
  const count = Math.ceil(file.size / SLICE_BYTES)
  for (let n = 0; n < count; n++) {
    const start = n * SLICE_BYTES
    const slice = file.slice(start, start + SLICE_BYTES)
    etags[n] ??= await again(() =>
      objectStore.putPart({ key, upload_id, number: n + 1 }, slice, {
        signal,
        onProgress: (bytes) => onSent(start + bytes),
      }),
    )
    onSent(start + slice.size)
  }
  try {
    await again(() => objectStore.completeUpload(key, upload_id, etags.map(String), signal))
  } catch (error) {
    // The response to an earlier try was lost, so the upload may be complete; saving will tell.
    if (!(error instanceof StoreError && error.status === 404)) throw error
  }
  // Completing it again would fail, so its record is removed.
  sharedStorage.removeItem(record)
  return url
}

/** The earlier upload of this file, with the parts that the store has; else a new one. */
async function openUpload(
  record: string,
  getPath: () => Promise<string>,
  file: File,
  signal: AbortSignal,
): Promise<{ open: OpenUpload; etags: (string | undefined)[] }> {
  const earlierUpload = readRecord(record)
  if (earlierUpload) {
    try {
      const { key } = await locate(earlierUpload.path)
      const parts = await objectStore.listParts(key, earlierUpload.upload_id, signal)
      const etags: (string | undefined)[] = []
      for (const { number, etag, size } of parts)
        if (size === Math.min(SLICE_BYTES, file.size - (number - 1) * SLICE_BYTES)) etags[number - 1] = etag
      return { open: earlierUpload, etags }
    } catch (error) {
      // The store has removed it, or it belongs to another person.
      if (!(error instanceof StoreError) || isTransient(error)) throw error
    }
  }
  const path = await getPath()
  const { key } = await locate(path)
  const open = { path, upload_id: await objectStore.createUpload(key, signal) }
  sharedStorage.setItem(record, JSON.stringify(open))
  return { open, etags: [] }
}

function readRecord(record: string): OpenUpload | null {
  try {
    return JSON.parse(sharedStorage.getItem(record) ?? 'null') as OpenUpload | null
  } catch {
    return null
  }
}

/** Discards the parts of an unwanted file from the store. */
export async function discardUpload({ md5, channel }: UploadJob): Promise<void> {
  if (!md5) return
  const record = toKey(md5, channel)
  const earlierUpload = readRecord(record)
  sharedStorage.removeItem(record)
  if (!earlierUpload) return
  const { key } = await locate(earlierUpload.path)
  await objectStore.abortUpload(key, earlierUpload.upload_id)
}

/** Repeats a function that fails temporarily until it succeeds or the tries run out; an expired credential is replaced once. */
function retrying({ signal, onCut }: { signal: AbortSignal; onCut: () => void }): Retry {
  return async (run) => {
    let isRenewed = false
    for (let tries = 1; ; tries++) {
      try {
        return await run()
      } catch (error) {
        signal.throwIfAborted()
        const isRefused = error instanceof StoreError && error.status === 403 && !isRenewed
        if (isRefused) {
          isRenewed = true
          forgetCredential()
        } else if (isTransient(error) && tries < MAX_TRIES) {
          onCut()
          await waitForNetwork(tries, signal)
        } else throw error
      }
    }
  }
}
