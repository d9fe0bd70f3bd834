import { z } from 'zod'
import type { SearchConfig } from '#server/core/config.ts'
import type { SearchHit } from './results.ts'
import { MAX_RESULTS } from './results.ts'

/** Builds the request to a search engine, and reads its answer. */
export type SearchProvider = {
  request(query: string, baseUrl: string, apiKey: string): { url: string; init: RequestInit }
  /** Throws a ZodError for an answer that it does not understand. */
  parseHits(answer: unknown): SearchHit[]
}

const text = z.string().nullish()
const json = { 'Content-Type': 'application/json', Accept: 'application/json' }
const bearerHeader = (apiKey: string) => ({ Authorization: `Bearer ${apiKey}` })

/** https://docs.searxng.org/dev/search_api.html; the instance must allow the format `json`. */
const searxng: SearchProvider = {
  request: (query, baseUrl, apiKey) => ({
    url: `${baseUrl}/search?${new URLSearchParams({ q: query, format: 'json' }).toString()}`,
    init: { headers: { Accept: 'application/json', ...(apiKey ? bearerHeader(apiKey) : {}) } },
  }),
  parseHits: (answer) =>
    z
      .object({
        results: z.array(z.object({ title: text, url: text, content: text, publishedDate: text })),
      })
      .parse(answer)
      .results.map(({ title, url, content, publishedDate }) => ({
        title,
        url,
        snippet: content,
        published_at: publishedDate,
      })),
}

/** https://open.bochaai.com, web search: refusals may come with status 200 and another `code`. */
const bocha: SearchProvider = {
  request: (query, baseUrl, apiKey) => ({
    url: `${baseUrl}/web-search`,
    init: {
      method: 'POST',
      headers: { ...json, ...bearerHeader(apiKey) },
      body: JSON.stringify({ query, summary: true, count: MAX_RESULTS, freshness: 'noLimit' }),
    },
  }),
  parseHits: (answer) =>
    z
      .object({
        code: z.literal(200),
        data: z.object({
          webPages: z
            .object({
              value: z.array(
                z.object({
                  name: text,
                  url: text,
                  snippet: text,
                  summary: text,
                  siteName: text,
                  datePublished: text,
                }),
              ),
            })
            .nullish(),
        }),
      })
      .parse(answer)
      .data.webPages?.value.map(({ name, url, snippet, summary, siteName, datePublished }) => ({
        title: name,
        url,
        snippet: summary || snippet,
        site: siteName,
        published_at: datePublished,
      })) ?? [],
}

/** https://docs.tavily.com/documentation/api-reference/endpoint/search */
const tavily: SearchProvider = {
  request: (query, baseUrl, apiKey) => ({
    url: `${baseUrl}/search`,
    init: {
      method: 'POST',
      headers: { ...json, ...bearerHeader(apiKey) },
      body: JSON.stringify({ query, max_results: MAX_RESULTS, search_depth: 'basic' }),
    },
  }),
  parseHits: (answer) =>
    z
      .object({ results: z.array(z.object({ title: text, url: text, content: text, published_date: text })) })
      .parse(answer)
      .results.map(({ title, url, content, published_date }) => ({
        title,
        url,
        snippet: content,
        published_at: published_date,
      })),
}

/** https://api-dashboard.search.brave.com/app/documentation/web-search; descriptions carry HTML. */
const brave: SearchProvider = {
  request: (query, baseUrl, apiKey) => ({
    url: `${baseUrl}/web/search?${new URLSearchParams({ q: query, count: String(MAX_RESULTS) }).toString()}`,
    init: { headers: { Accept: 'application/json', 'X-Subscription-Token': apiKey } },
  }),
  parseHits: (answer) =>
    z
      .object({
        // An answer without results has no `web` at all.
        type: z.literal('search'),
        web: z
          .object({
            results: z.array(
              z.object({
                title: text,
                url: text,
                description: text,
                page_age: text,
                profile: z.object({ name: text }).nullish(),
              }),
            ),
          })
          .nullish(),
      })
      .parse(answer)
      .web?.results.map(({ title, url, description, page_age, profile }) => ({
        title,
        url,
        snippet: description,
        site: profile?.name,
        published_at: page_age,
      })) ?? [],
}

export const PROVIDERS: Record<SearchConfig['provider'], SearchProvider> = { searxng, bocha, tavily, brave }
