import { createHash } from 'node:crypto'
import type { Place } from '#contract/readings.ts'
import type { Chunk } from './chunks.ts'

/** A chunk that was found. */
export type Passage = Chunk & {
  document_id: string
  /** Number of the chunk in its document, from 1. */
  chunk: number
  /** Document and headings of the passage. */
  title: string
  /** Confidence that the passage is relevant to the question, from 0 to 1. */
  confidence: number
}

/** Reference to a passage: by its number, or with the hash of its text to that text, wherever it stands by then. */
export type PassageRef = { document_id: string; chunk: number; hash?: string | undefined }

/** Returns the key of a text in any reading of its document: 16 hexadecimal digits of its MD5, as the database makes it. */
export const hashPassage = (text: string): string => createHash('md5').update(text).digest('hex').slice(0, 16)

/** Joins a document's title and the headings that a place stands under. */
export const formatTitle = (title: string, { heading = [] }: Place): string => [title, ...heading].join(' › ')
