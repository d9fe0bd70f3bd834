import type { Place } from '#contract/readings.ts'
import type { Chunk } from './chunks.ts'

/** A chunk that was found. */
export type Passage = Chunk & {
  document_id: string
  /** Number of the chunk in its document, from 1. */
  chunk: number
  /** Document and headings: what the passage is about. */
  title: string
  /** How sure it is that the passage has to do with the question, from 0 to 1. */
  confidence: number
}

/** A document's title, and the headings that a place stands under. */
export const formatTitle = (title: string, { heading = [] }: Place): string => [title, ...heading].join(' › ')
