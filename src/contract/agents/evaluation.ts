import { z } from 'zod'
import { createdAt } from '#contract/dates/dates.ts'

/** A self-test of an agent: are the passages that questions were made from found, and do answers rest on them? */
export const agentEvaluation = z.object({
  id: z.uuid().describe('自测的编号'),
  version: z.int().describe('自测时智能体的版本'),
  status: z
    .union([z.literal(1), z.literal(2), z.literal(3)])
    .describe('状态：1 进行中、2 完成、3 失败或已停止'),
  /** Chinese reason of status 3. */
  error: z.string().nullable().describe('出错的原因；没有出错则为空'),
  done: z.int().describe('已试的问题数'),
  total: z.int().describe('问题的总数'),
  hit_1: z.number().nullable().describe('第一段就是答案所在的比例，0 到 1；还没有则为空'),
  hit_5: z.number().nullable().describe('前五段有答案所在的比例，0 到 1；还没有则为空'),
  groundedness: z.number().nullable().describe('试答里有依据的句子的比例，0 到 1；没有句子则为空'),
  /** Questions put to the agent, and those it answered, that is, without failing or refusing. */
  asked: z.int().describe('试答的问题数'),
  answered: z.int().describe('其中作出回答的问题数'),
  missed: z
    .array(
      z.object({
        question: z.string().describe('问题'),
        block: z.uuid().describe('问题所依据的文档的编号'),
        chunk: z.int().describe('问题所依据的段落的序号'),
        name: z.string().describe('文档的名称'),
      }),
    )
    .describe('前五段里没有答案所在的问题'),
  /**
   * The trial answers: number of sentences, sentences without support in the sources, and passages given. Filled only for the
   * latest self-test that has ended.
   */
  answers: z
    .array(
      z.object({
        question: z.string().describe('问题'),
        sentences: z.int().describe('回答的句数'),
        unsupported: z.array(z.string()).describe('来源里没有依据的句子'),
        passages: z
          .array(
            z.object({
              n: z.int().describe('引用的序号'),
              title: z.string().describe('文档的名称'),
              block: z.uuid().describe('文档的编号'),
              chunk: z.int().describe('段落的序号'),
              hash: z.string().optional().describe('段落内容的摘要值'),
            }),
          )
          .describe('给模型的段落'),
      }),
    )
    .describe('试答；只有最近一次结束的自测有'),
  cost: z.number().describe('自测的费用，单位金币'),
  created_at: createdAt,
})
export type AgentEvaluation = z.output<typeof agentEvaluation>
