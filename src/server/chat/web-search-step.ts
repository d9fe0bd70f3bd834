import type { MessageSearch } from '#contract/web-search.ts'
import { toChinaDay } from '#server/core/dates.ts'
import type { PromptPreparation } from '#server/conversations/conversations.ts'
import { estimateTokens } from '#server/llm/llm.ts'
import { blockChars, withResults } from '#server/web-search/web-search.ts'
import type { WebSearch } from '#server/web-search/web-search.ts'

/**
 * Searches the web before a platform is asked. The sources are kept with the answer, and the question is asked together
 * with what was found; an answer without it is better than none.
 */
export const createSearchPreparation = (
  search: WebSearch,
  question: string,
  model_id: string,
): PromptPreparation => ({
  reserved_tokens: estimateTokens('搜'.repeat(blockChars), model_id),
  async buildMessages(messages, { signal, publishNote, saveNote }) {
    publishNote({ search: { state: 'searching', sources: [] } })
    const { state, results } = await search.searchWeb(question, signal)
    const sources: MessageSearch['sources'] = results.map(({ n, title, url, site, published_at }) => ({
      n,
      title,
      url,
      site,
      published_at,
    }))
    await saveNote({ search: { state, sources } })
    if (!results.length) return messages
    const content = withResults(question, results, toChinaDay(new Date()))
    return [...messages.slice(0, -1), { role: 'user', content }]
  },
})
