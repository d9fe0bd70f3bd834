import { readText, rule } from './rule.ts'
import type { Body, Rule } from './rule.ts'

/** The rules for embeddings and rerankings. */

const countInputs = ({ input }: Body): number =>
  Array.isArray(input) && typeof input[0] !== 'number' ? input.length : 1

export const OPENAI_EMBEDDING_RULES: Rule[] = [
  rule('at-most-2048-inputs', 'https://platform.openai.com/docs/api-reference/embeddings/create', (body) =>
    countInputs(body) > 2048
      ? {
          message: `Invalid 'input': array too long. Expected an array with maximum length 2048, but got an array with length ${countInputs(body)} instead.`,
          param: 'input',
          code: 'array_above_max_length',
        }
      : null,
  ),
]

export const DASHSCOPE_EMBEDDING_RULES: Rule[] = [
  rule('at-most-10-inputs', 'https://github.com/zilliztech/claude-context/issues/177', (body) =>
    countInputs(body) > 10 && /^text-embedding-v[34]/.test(readText(body.model))
      ? {
          message: 'Value error, batch size is invalid, it should not be larger than 10.: input.contents',
          type: 'InvalidParameter',
          code: 'InvalidParameter',
        }
      : null,
  ),
]

export const SILICONFLOW_EMBEDDING_RULES: Rule[] = [
  rule('at-most-64-inputs', 'https://github.com/apecloud/ApeRAG/issues/716', (body) =>
    countInputs(body) > 64
      ? {
          message: `input batch size ${countInputs(body)} > maximum allowed batch size 64`,
          status: 413,
          code: '20042',
        }
      : null,
  ),
]

/** The status and the fields are reported, the messages are not: these are the double's own. */
export const VOYAGE_EMBEDDING_RULES: Rule[] = [
  rule('encodes-in-base64', 'https://github.com/CherryHQ/cherry-studio/pull/8034', ({ encoding_format }) =>
    encoding_format === undefined || encoding_format === null || encoding_format === 'base64'
      ? null
      : {
          message: `Argument 'encoding_format' only accepts 'base64' or null, not ${JSON.stringify(encoding_format)}.`,
        },
  ),
  rule('fields-are-known', 'https://github.com/fredrikburmester/streamystats/issues/420', (body) => {
    const known = 'input model input_type truncation output_dimension output_dtype encoding_format'.split(' ')
    const field = Object.keys(body).find((one) => !known.includes(one))
    return field === undefined ? null : { message: `Argument '${field}' is not supported by our API.` }
  }),
  rule(
    'at-most-1000-inputs',
    'https://www.mongodb.com/zh-cn/docs/api/doc/atlas-embedding-and-reranking-api/operation/operation-createembedding',
    (body) =>
      countInputs(body) > 1000 ? { message: 'The batch size limit is 1000 inputs for each request.' } : null,
  ),
]

export const VOYAGE_RERANK_RULES: Rule[] = [
  rule('fields-are-known', 'https://docs.voyageai.com/reference/reranker-api', (body) => {
    const known = 'query documents model top_k return_documents truncation'.split(' ')
    const field = Object.keys(body).find((one) => !known.includes(one))
    return field === undefined ? null : { message: `Argument '${field}' is not supported by our API.` }
  }),
]

export const COHERE_EMBEDDING_RULES: Rule[] = [
  rule('at-most-96-inputs', 'https://github.com/misbahsy/RAGTune/issues/2', (body) => {
    const texts = Array.isArray(body.texts) ? body.texts.length : countInputs(body)
    return texts > 96
      ? { message: `invalid request: total number of texts must be at most 96 - received ${texts}` }
      : null
  }),
]
