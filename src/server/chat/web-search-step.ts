import type { MessageSearch } from '#contract/web-search.ts'
import { toChinaDay } from '#server/core/dates.ts'
import type { Db } from '#server/core/database/database.ts'
import { estimateTokens } from '#server/llm/llm.ts'
import type { PromptMessage } from '#server/llm/llm.ts'
import type { Preparation } from '#server/runs/runs.ts'
import { blockChars, withResults } from '#server/web-search/web-search.ts'
import type { WebSearch } from '#server/web-search/web-search.ts'
import { updateMessageSearch } from '#server/conversations/messages/store.ts'

/** Tokens that search results add to the prompt of a model at most. */
export const estimateSearchTokens = (model_id: string): number =>
  estimateTokens('搜'.repeat(blockChars), model_id)

/**
 * Searches the web before a run's platform is asked: its readers are told, what was found is kept with the answer, and
 * the question is asked together with it. `messages` is the prompt without it, the question last.
 */
export function createWebSearchStep(
  { db, search }: { db: Db; search: WebSearch },
  { question, messages, model_id }: { question: string; messages: PromptMessage[]; model_id: string },
): Preparation {
  return {
    reserved_tokens: estimateSearchTokens(model_id),
    async buildMessages({ run_id, signal, setNote }) {
      setNote(toNote({ state: 'searching', sources: [] }))
      const { state, results } = await search.searchWeb(question, signal)
      const sources = results.map(({ n, title, url, site, published_at }) => ({
        n,
        title,
        url,
        site,
        published_at,
      }))
      await updateMessageSearch(db, run_id, { state, sources })
      setNote(toNote({ state, sources }))
      if (!results.length) return messages
      const content = withResults(question, results, toChinaDay(new Date()))
      return [...messages.slice(0, -1), { role: 'user', content }]
    },
  }
}

const toNote = (search: MessageSearch) => ({ search })
