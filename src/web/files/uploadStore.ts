import { create } from 'zustand'
import type { Block } from '#contract/blocks.ts'

type UploadState =
  /** In the queue, behind another one. */
  | 'waiting'
  | 'hashing'
  | 'uploading'
  /** The network is gone; it goes on by itself when that is back. */
  | 'cut'
  | 'paused'
  | 'saving'
  | 'failed'
  | 'done'

/** One file on its way to the server. */
export type Upload = {
  key: string
  name: string
  type: string
  /** Bytes. */
  size: number
  channel: string
  state: UploadState
  /** Rounded, of what the state is about. */
  percent: number
  /** Chinese reason of `failed`. */
  error: string | null
  /** It failed by an accident: trying again may help. */
  isRetryable: boolean
  /** Of `done`. */
  block: Block | null
}

type Tasks = {
  /** The oldest first. */
  uploads: readonly Upload[]
  /** A web page is being added. */
  isLinking: boolean
}

/** Files and links that are being added, outside the pages: it goes on while the person looks at something else. */
export const useUploads = create<Tasks>()(() => ({ uploads: [], isLinking: false }))

export const getUpload = (key: string): Upload | undefined =>
  useUploads.getState().uploads.find((upload) => upload.key === key)

export const updateUpload = (key: string, patch: Partial<Upload>): void =>
  useUploads.setState(({ uploads }) => ({
    uploads: uploads.map((upload) => (upload.key === key ? { ...upload, ...patch } : upload)),
  }))

/** Forgets an upload; one that runs is cancelled by `cancelUpload` (uploadQueue.ts). */
export const removeUpload = (key: string): void =>
  useUploads.setState(({ uploads }) => ({ uploads: uploads.filter((upload) => upload.key !== key) }))

/** It has not come to an end, good or bad. */
export const isUnfinished = ({ state }: Upload): boolean => state !== 'done' && state !== 'failed'

/** Tells whether a file or a link is on its way, so that nothing else may begin (specification section 5: one task at a time). */
export function isBusy(): boolean {
  const { uploads, isLinking } = useUploads.getState()
  return isLinking || uploads.some(isUnfinished)
}
