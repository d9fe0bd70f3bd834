import type { UserInfo } from '#contract/users.ts'
import { checkUpload, toFileType, uploadMessages } from '#contract/uploads.ts'
import { ApiError } from '#web/core/api.ts'
import { toast } from '#web/ui/toast.ts'
import { StoreError } from './objectStore.ts'
import { PictureError } from './picture/commonPicture.ts'
import { discardUpload, uploadFile, type UploadJob } from './uploadFile.ts'

export { uploadPicture } from './uploadFile.ts'
import {
  getUpload,
  isBusy,
  isUnfinished,
  removeUpload,
  updateUpload,
  useUploads,
  type Upload,
} from './uploadStore.ts'

export { uploadFile } from './uploadFile.ts'

type RunningJob = UploadJob & { controller: AbortController | null }

/** Files and their known state by upload key, until the upload is removed. */
const jobs = new Map<string, RunningJob>()
let lastKey = 0

type Target = { channel: string; level: UserInfo['level'] }

/**
 * Uploads files one after the other. While other uploads are under way it starts nothing (specification section 5: one task at a
 * time) and tells the person. A file that is not allowed is listed as failed, with the reason. Returns the keys of the new
 * uploads.
 */
export function addUploads(files: readonly File[], { channel, level }: Target): string[] {
  if (isBusy()) {
    toast.error(uploadMessages.unfinished)
    return []
  }
  const newUploads = files.map((file): Upload => {
    const key = `upload-${++lastKey}`
    const { name, size } = file
    const error = checkUpload(level, file)
    if (!error) jobs.set(key, { file, channel, controller: null })
    return {
      key,
      name,
      size,
      channel,
      type: toFileType(file),
      state: error ? 'failed' : 'waiting',
      percent: 0,
      error,
      isRetryable: !error,
      block: null,
    }
  })
  useUploads.setState(({ uploads }) => ({ uploads: [...uploads, ...newUploads] }))
  startNext()
  return newUploads.map(({ key }) => key)
}

/** Pauses an upload; its data in the store stay, and `resumeUpload` continues it. */
export function pauseUpload(key: string): void {
  updateUpload(key, { state: 'paused' })
  jobs.get(key)?.controller?.abort()
}

/** Continues an upload that was paused or has failed. */
export function resumeUpload(key: string): void {
  if (!jobs.has(key)) return
  const { uploads, isLinking } = useUploads.getState()
  const others = uploads.filter((upload) => upload.key !== key)
  if (isLinking || others.some(isUnfinished)) toast.error(uploadMessages.unfinished)
  else void run(key)
}

/** Cancels an upload, or removes one that has ended. */
export function cancelUpload(key: string): void {
  const job = jobs.get(key)
  const isEnded = getUpload(key)?.state === 'done'
  jobs.delete(key)
  removeUpload(key)
  job?.controller?.abort()
  // The store removes abandoned uploads by itself, should this fail.
  if (job && !isEnded) discardUpload(job).catch(() => {})
  startNext()
}

/** Starts the upload that has waited longest, unless another is under way or paused. */
function startNext(): void {
  const unfinished = useUploads.getState().uploads.filter(isUnfinished)
  const [first] = unfinished
  if (first && unfinished.every(({ state }) => state === 'waiting')) void run(first.key)
}

async function run(key: string): Promise<void> {
  const job = jobs.get(key)
  if (!job) return
  const controller = new AbortController()
  job.controller = controller
  const { signal } = controller
  try {
    const block = await uploadFile(job, {
      signal,
      onProgress: ({ state, percent }) =>
        !signal.aborted && updateUpload(key, { state, percent, error: null }),
    })
    jobs.delete(key)
    updateUpload(key, { state: 'done', percent: 100, block })
  } catch (error) {
    // Paused or cancelled: the upload has its new state already.
    if (!signal.aborted) {
      const isRetryable = !(error instanceof PictureError)
      updateUpload(key, { state: 'failed', error: describeFailure(error), isRetryable })
    }
  }
  startNext()
}

/** The reason of a failed upload, for the person. */
export const describeFailure = (error: unknown): string =>
  error instanceof ApiError || error instanceof StoreError || error instanceof PictureError
    ? error.message
    : uploadMessages.upload_failed
