import { create } from 'zustand'
import type { Block } from '#contract/blocks.ts'

export type DocumentKind = 'file' | 'link'
export type PendingDocument = { block: Block; kind: DocumentKind }

/** Documents added for translation and not yet started. Kept outside the page, so that they wait for the person. */
export const usePendingDocuments = create<{ documents: readonly PendingDocument[] }>()(() => ({
  documents: [],
}))

export const addPending = (block: Block, kind: DocumentKind): void =>
  usePendingDocuments.setState(({ documents }) => ({
    documents: [...documents.filter((one) => one.block.id !== block.id), { block, kind }],
  }))

export const removePending = (id: string): void =>
  usePendingDocuments.setState(({ documents }) => ({
    documents: documents.filter(({ block }) => block.id !== id),
  }))
