import { z } from 'zod'

/** Name of the tool that searches the web before an answer. */
export const WEB_SEARCH = 'web_search'

/** A web page that an answer may cite by its number: `[1]`. */
export const searchSource = z.object({
  n: z.int(),
  title: z.string(),
  url: z.string(),
  /** The site's name, or its host. */
  site: z.string(),
  /** As the search engine says it. */
  published_at: z.string().nullable(),
})
export type SearchSource = z.output<typeof searchSource>

/**
 * The web search before an answer. `searching` while it runs; `failed`: the answer was written without it. Its sources
 * are those that the model was given.
 */
export const messageSearch = z.object({
  state: z.enum(['searching', 'found', 'nothing', 'failed']),
  sources: z.array(searchSource),
})
export type MessageSearch = z.output<typeof messageSearch>
