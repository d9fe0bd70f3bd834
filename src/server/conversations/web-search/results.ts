import type { MessageSearch, SearchSource } from '#contract/web-search.ts'

/** A page as a search engine describes it; its texts may be HTML. */
export type SearchHit = {
  title?: string | null | undefined
  url?: string | null | undefined
  snippet?: string | null | undefined
  site?: string | null | undefined
  published_at?: string | null | undefined
}
export type WebSearchResult = SearchSource & { snippet: string }

type WebSearchOutcome = {
  state: Exclude<MessageSearch['state'], 'searching'>
  results: WebSearchResult[]
}
export type WebSearch = {
  /**
   * Searches the web for a question. A search engine that fails gives the state `failed`, not an error: rejects only when
   * `signal` aborts.
   */
  searchWeb(question: string, signal: AbortSignal): Promise<WebSearchOutcome>
}

export const MAX_RESULTS = 8
const MAX_TITLE = 120
const MAX_SNIPPET = 500
const MAX_SITE = 60
const MAX_URL = 2_000

/** The pages worth giving to a model: each once, with an address that can be opened, as plain text, numbered from 1. */
export function toResults(hits: readonly SearchHit[]): WebSearchResult[] {
  const seenUrls = new Set<string>()
  const usable = hits.flatMap((hit) => {
    const pageUrl = parsePageUrl(hit.url ?? '')
    const [title, snippet] = [toPlainText(hit.title, MAX_TITLE), toPlainText(hit.snippet, MAX_SNIPPET)]
    if (!pageUrl || seenUrls.has(pageUrl.href) || !(title || snippet)) return []
    seenUrls.add(pageUrl.href)
    const host = pageUrl.hostname.replace(/^www\./, '')
    const site = toPlainText(hit.site, MAX_SITE) || host
    return [
      { title: title || host, url: pageUrl.href, site, snippet, published_at: parseDate(hit.published_at) },
    ]
  })
  return usable.slice(0, MAX_RESULTS).map((result, at) => ({ n: at + 1, ...result }))
}

function parsePageUrl(text: string): URL | null {
  const address = URL.canParse(text) ? new URL(text) : null
  const isOpenable = address && /^https?:$/.test(address.protocol) && address.href.length <= MAX_URL
  return isOpenable ? address : null
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** The text of a piece of HTML on one line, at most `maxChars` characters. */
function toPlainText(html: string | null | undefined, maxChars: number): string {
  const text = (html ?? '')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name]!)
    .replace(/[\s\0]+/g, ' ')
    .trim()
    .toWellFormed()
  const characters = Array.from(text.slice(0, maxChars * 2))
  return characters.length > maxChars ? `${characters.slice(0, maxChars - 1).join('')}…` : characters.join('')
}

/** The day that a date or time begins with, `2026-11-21`; null for any other text. */
const parseDate = (text: string | null | undefined): string | null =>
  /^\d{4}-\d{2}-\d{2}/.exec(text ?? '')?.[0] ?? null
