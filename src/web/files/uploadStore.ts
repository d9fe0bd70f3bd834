import { create } from 'zustand'
import type { Block } from '#contract/blocks.ts'

type UploadState =
  /** Queued behind another upload. */
  | 'waiting'
  | 'hashing'
  | 'uploading'
  /** The network is cut; the upload continues when it is back. */
  | 'cut'
  | 'paused'
  | 'saving'
  | 'failed'
  | 'done'

/** A file on its way to the server. */
export type Upload = {
  key: string
  name: string
  type: string
  /** Bytes. */
  size: number
  channel: string
  state: UploadState
  /** Progress within the state, rounded. */
  percent: number
  /** Reason of `failed`, in Chinese. */
  error: string | null
  /** The failure was accidental, and another try may help. */
  isRetryable: boolean
  /** Set in the state `done`. */
  block: Block | null
}

type Tasks = {
  /** The oldest first. */
  uploads: readonly Upload[]
  /** A web page is being added. */
  isLinking: boolean
}

/** Files and links being added, outside the pages, so that they go on while the person looks at something else. */
export const useUploads = create<Tasks>()(() => ({ uploads: [], isLinking: false }))

export const getUpload = (key: string): Upload | undefined =>
  useUploads.getState().uploads.find((upload) => upload.key === key)

export const updateUpload = (key: string, patch: Partial<Upload>): void =>
  useUploads.setState(({ uploads }) => ({
    uploads: uploads.map((upload) => (upload.key === key ? { ...upload, ...patch } : upload)),
  }))

/** Removes an upload from the list; `cancelUpload` (uploadQueue.ts) cancels one that runs. */
export const removeUpload = (key: string): void =>
  useUploads.setState(({ uploads }) => ({ uploads: uploads.filter((upload) => upload.key !== key) }))

/** Tells whether an upload has neither succeeded nor failed. */
export const isUnfinished = ({ state }: Upload): boolean => state !== 'done' && state !== 'failed'

/** Tells whether a file or a link is being added: nothing else may start then (specification section 5: one task at a time). */
export function isBusy(): boolean {
  const { uploads, isLinking } = useUploads.getState()
  return isLinking || uploads.some(isUnfinished)
}
