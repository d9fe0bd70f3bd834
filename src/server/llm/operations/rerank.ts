import { getField } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import { estimateTokens } from '../tokens/estimate.ts'
import { toTokenPricing, getList, getMaxTokens, toTokenUsage } from './operation.ts'
import type { Operation } from './operation.ts'

type Documents = (string | { text: string })[]

/**
 * Documents ranked by relevance to a query: the format that Jina, SiliconFlow, Zhipu and Bailian share
 * (https://jina.ai/reranker, https://docs.siliconflow.cn/cn/api-reference/rerank/create-rerank).
 */
export function createRerankOperation(
  model: string,
  json: JsonObject & { query: string; documents: Documents },
): Operation {
  const texts = listDocumentTexts(json.documents)
  // The model reads the query together with each document.
  const total = (count: (text: string) => number): number =>
    texts.reduce((sum, text) => sum + count(json.query) + count(text), 0)
  const pricing = toTokenPricing(total((text) => estimateTokens(text, model)))
  const maxTokens = total(getMaxTokens)
  return {
    path: '/rerank',
    body: { json },
    response_type: 'json',
    ...pricing,
    parseUsage(answer) {
      getList(answer, 'results', 1)
      return toTokenUsage(getReportedTokens(answer), maxTokens, pricing.counted)
    },
  }
}

export const listDocumentTexts = (documents: Documents): string[] =>
  documents.map((document) => (typeof document === 'string' ? document : document.text))

/** Jina and Bailian report `usage.total_tokens`, SiliconFlow `meta.tokens` or, in older versions, `tokens`. */
function getReportedTokens(answer: JsonObject): unknown {
  const reported = getField(answer.usage, 'total_tokens') ?? getField(answer.usage, 'prompt_tokens')
  return reported ?? getField(getField(answer.meta, 'tokens') ?? answer.tokens, 'input_tokens')
}
