import type { JsonObject } from '../chat.ts'
import { field } from '../dialects/event.ts'
import { estimateTokens } from '../estimate.ts'
import { inTokens, listOf, mostTokens, tokensUsed } from './work.ts'
import type { Work } from './work.ts'

type Documents = (string | { text: string })[]

/**
 * Documents by how well they answer a query: the shape that Jina, SiliconFlow, Zhipu and Bailian share
 * (https://jina.ai/reranker, https://docs.siliconflow.cn/cn/api-reference/rerank/create-rerank).
 */
export function rerankWork(model: string, json: JsonObject & { query: string; documents: Documents }): Work {
  const texts = documentsOf(json.documents)
  // The model reads the query together with each document.
  const total = (of: (text: string) => number): number =>
    texts.reduce((sum, text) => sum + of(json.query) + of(text), 0)
  const priced = inTokens(total((text) => estimateTokens(text, model)))
  const most = total(mostTokens)
  return {
    path: '/rerank',
    body: { json },
    answer: 'json',
    ...priced,
    measure(answer) {
      listOf(answer, 'results', 1)
      return tokensUsed(reportedBy(answer), most, priced.counted)
    },
  }
}

/** The texts of documents. */
export const documentsOf = (documents: Documents): string[] =>
  documents.map((document) => (typeof document === 'string' ? document : document.text))

/** Jina and Bailian say `usage.total_tokens`, SiliconFlow `meta.tokens` or, earlier, `tokens`. */
function reportedBy(answer: JsonObject): unknown {
  const told = field(answer.usage, 'total_tokens') ?? field(answer.usage, 'prompt_tokens')
  return told ?? field(field(answer.meta, 'tokens') ?? answer.tokens, 'input_tokens')
}
