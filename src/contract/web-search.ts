import { z } from 'zod'
import { piecePlace } from './blocks.ts'

/** Name of the tool that searches the web before an answer. */
export const WEB_SEARCH = 'web_search'

/** A web page, or a passage of a document, that an answer may cite by its number: `[1]`. */
const searchSource = z.object({
  n: z.int(),
  title: z.string(),
  url: z.string(),
  /** The site's name or host; for a passage its place: `第 3 页`. */
  site: z.string(),
  /** As the search engine writes it. */
  published_at: z.string().nullable(),
  /** For a passage: the piece of the document that it begins in; for an agent's also its index number and a hash of its text. */
  block: z
    .object({
      id: z.uuid(),
      piece: z.int(),
      place: piecePlace,
      chunk: z.int().optional(),
      hash: z.string().optional(),
    })
    .optional(),
  /** For an agent's passage: how well it fits the question, 0 to 1. */
  confidence: z.number().optional(),
})
export type SearchSource = z.output<typeof searchSource>

/** Faults of an answer from an agent's sources, found when it ends. */
const citationReview = z.object({
  /** Cited numbers that no given source has. */
  invalid: z.array(z.int()),
  /** Its sentences, word for word, without a citation or without support in the cited sources. */
  unsupported: z.array(z.string()),
})
export type CitationReview = z.output<typeof citationReview>

/**
 * Sources given for an answer: pages of a web search before it, and passages of documents. `searching` while the search runs;
 * `failed`: the answer was written without it.
 */
export const messageSearch = z.object({
  state: z.enum(['searching', 'found', 'nothing', 'failed']),
  sources: z.array(searchSource),
  review: citationReview.optional(),
})
export type MessageSearch = z.output<typeof messageSearch>
