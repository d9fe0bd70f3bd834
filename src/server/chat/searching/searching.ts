import type { MessageSearch } from '#contract/search.ts'
import { dayInChina } from '../../core/clock.ts'
import type { Db } from '../../core/database.ts'
import type { PromptMessage } from '../../llm/chat.ts'
import { estimateTokens } from '../../llm/estimate.ts'
import type { Preparation } from '../../runs/runs.ts'
import { blockChars, withResults } from '../../search/search.ts'
import type { Search } from '../../search/search.ts'
import { keepSearch } from './store.ts'

/** Tokens that search results add to the prompt of a model at most. */
export const searchTokens = (model_id: string): number => estimateTokens('搜'.repeat(blockChars), model_id)

/**
 * Searches the web before a run's platform is asked: its readers are told, what was found is kept with the answer, and
 * the question is asked together with it. `messages` is the prompt without it, the question last.
 */
export function searchFirst(
  { db, search }: { db: Db; search: Search },
  { question, messages, model_id }: { question: string; messages: PromptMessage[]; model_id: string },
): Preparation {
  return {
    extra_tokens: searchTokens(model_id),
    async messages({ run_id, signal, tell }) {
      tell(note({ state: 'searching', sources: [] }))
      const { state, results } = await search.find(question, signal)
      const sources = results.map(({ n, title, url, site, published_at }) => ({
        n,
        title,
        url,
        site,
        published_at,
      }))
      await keepSearch(db, run_id, { state, sources })
      tell(note({ state, sources }))
      if (!results.length) return messages
      const content = withResults(question, results, dayInChina(new Date()))
      return [...messages.slice(0, -1), { role: 'user', content }]
    },
  }
}

const note = (search: MessageSearch) => ({ search })
