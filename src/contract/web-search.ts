import { z } from 'zod'
import { piecePlace } from './blocks.ts'

/** Name of the tool that searches the web before an answer. */
export const WEB_SEARCH = 'web_search'

/** A web page, or a passage of a document, that an answer may cite by its number: `[1]`. */
const searchSource = z.object({
  n: z.int().describe('回答里引用的序号'),
  title: z.string().describe('网页或文档的标题'),
  url: z.string().describe('网页或文档的地址'),
  site: z.string().describe('网站的名称；文档的段落则为它的位置'),
  published_at: z.string().nullable().describe('发布时间，按搜索引擎的写法；不知道则为空'),
  /** For a passage: the piece of the document that it begins in; for an agent's also its index number and a hash of its text. */
  block: z
    .object({
      id: z.uuid().describe('文档的编号'),
      piece: z.int().describe('段落从文档的第几个片段开始'),
      place: piecePlace,
      chunk: z.int().optional().describe('段落在索引里的序号'),
      hash: z.string().optional().describe('段落内容的摘要值'),
    })
    .optional()
    .describe('段落所在的文档；网页没有'),
  confidence: z.number().optional().describe('段落与问题相关的程度，0 到 1'),
})
export type SearchSource = z.output<typeof searchSource>

/** Faults of an answer from an agent's sources, found when it ends. */
const citationReview = z.object({
  invalid: z.array(z.int()).describe('回答里引用了、来源里却没有的序号'),
  unsupported: z.array(z.string()).describe('没有引用，或来源里没有依据的句子'),
})
export type CitationReview = z.output<typeof citationReview>

/**
 * Sources given for an answer: pages of a web search before it, and passages of documents. `searching` while the search runs;
 * `failed`: the answer was written without it.
 */
export const messageSearch = z
  .object({
    state: z
      .enum(['searching', 'found', 'nothing', 'failed'])
      .describe('搜索的状态：searching 进行中、found 找到、nothing 没有结果、failed 失败'),
    sources: z.array(searchSource).describe('回答可以引用的来源'),
    review: citationReview.optional().describe('对引用的核对；只有智能体的回答有'),
  })
  .describe('回答之前的搜索和来源；没有搜索则为空')
export type MessageSearch = z.output<typeof messageSearch>
