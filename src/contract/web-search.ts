import { z } from 'zod'
import { piecePlace } from './blocks.ts'

/** Name of the tool that searches the web before an answer. */
export const WEB_SEARCH = 'web_search'

/** A web page, or a passage of a document, that an answer may cite by its number: `[1]`. */
const searchSource = z.object({
  n: z.int(),
  title: z.string(),
  url: z.string(),
  /** The site's name, or its host; of a passage where it stands: `第 3 页`. */
  site: z.string(),
  /** As the search engine says it. */
  published_at: z.string().nullable(),
  /** Of a passage: the piece of the document that it begins in; of an agent's, its number in the index and a hash of its text too. */
  block: z
    .object({
      id: z.uuid(),
      piece: z.int(),
      place: piecePlace,
      chunk: z.int().optional(),
      hash: z.string().optional(),
    })
    .optional(),
  /** Of an agent's passage: how well it fits the question, 0 to 1. */
  confidence: z.number().optional(),
})
export type SearchSource = z.output<typeof searchSource>

/** What an answer from an agent's sources does not hold to, found when it ends. */
const citationReview = z.object({
  /** Numbers that it cites, of no source that it was given. */
  invalid: z.array(z.int()),
  /** Its sentences, word for word, that cite nothing, or whose sources do not say so. */
  unsupported: z.array(z.string()),
})
export type CitationReview = z.output<typeof citationReview>

/**
 * What an answer was given to cite: pages of a web search before it, and passages of documents. `searching` while the web is
 * searched; `failed`: the answer was written without it.
 */
export const messageSearch = z.object({
  state: z.enum(['searching', 'found', 'nothing', 'failed']),
  sources: z.array(searchSource),
  review: citationReview.optional(),
})
export type MessageSearch = z.output<typeof messageSearch>
