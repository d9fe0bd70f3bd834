import type { SearchSource } from '#contract/web-search.ts'
import { toChinaDay } from '#contract/dates/dates.ts'
import type { PromptPreparation } from '#server/conversations/conversations.ts'
import { estimateTokens } from '#server/llm/llm.ts'
import { addResultsToQuestion, MAX_RESULTS_CHARS } from './prompt.ts'
import type { WebSearch } from './results.ts'

/**
 * Searches the web before a platform is called, for the question or for the text of `getQuery`. The sources are kept with the
 * answer, and the question is asked together with the results; an answer without any is better than none.
 */
export const createSearchPreparation = (
  search: WebSearch,
  question: string,
  modelId: string,
  getQuery = (): string => question,
): PromptPreparation => ({
  reserved_tokens: estimateTokens('搜'.repeat(MAX_RESULTS_CHARS), modelId),
  async buildMessages(messages, { signal, publishNote, saveNote }) {
    publishNote({ search: { state: 'searching', sources: [] } })
    const { state, results } = await search.searchWeb(getQuery(), signal)
    const sources: SearchSource[] = results.map(({ n, title, url, site, published_at }) => ({
      n,
      title,
      url,
      site,
      published_at,
    }))
    await saveNote({ search: { state, sources } })
    if (!results.length) return messages
    const content = addResultsToQuestion(question, results, toChinaDay(new Date()))
    return [...messages.slice(0, -1), { role: 'user', content }]
  },
})
