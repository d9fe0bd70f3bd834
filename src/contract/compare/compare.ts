import { z } from 'zod'
import { tokenCounts } from '#contract/models.ts'
import { modelId, turnId } from '#contract/ids/ids.ts'
import type { Calls } from '../call.ts'
import { chatMessage, chatSession } from '../chat.ts'
import { MAX_BLOCKS_PER_QUESTION, MAX_PROMPT_CHARS } from '#contract/questions/questions.ts'
import { COMPARE, replaceForeignId } from '../chatbot.ts'
import { settingsFields } from '../conversations/sessions.ts'
import { filterWord, pageSize } from '../paging.ts'
import {
  MAX_COMPARED_MODELS,
  MAX_SCOREBOARD_DAYS,
  questionKinds,
  TURNS_PAGE_SIZE,
} from '../compare-limits.ts'

/** `compare`: the current comparison; `compare-{id}`: the one that is this session. Calls that delete something need its name. */
const namedComparison = z
  .string()
  .regex(/^compare(-[0-9a-zA-Z-]{1,40})?$/, '应为 compare 或 compare-编号')
  .transform(replaceForeignId)
  .describe('对比：compare 当前的、compare-编号 指定的')
const comparisonId = namedComparison.default(COMPARE)

const questionKind = z.enum(questionKinds).describe('问题的种类')

/** A column's own settings; the session's settings fill in the rest. */
const columnSettings = settingsFields
  .pick({ system_prompt: true, temperature: true, max_tokens: true })
  .partial()
  .describe('这一列自己的设置；空为没有')
export type ColumnSettings = z.output<typeof columnSettings>

/** A column: a model, once in a comparison. */
const column = z.object({ model: z.string().describe('模型 ID'), settings: columnSettings.nullable() })
export type Column = z.output<typeof column>

/** A comparison without its messages; the session is null until there is one. */
const comparison = z.object({
  session: chatSession.nullable(),
  models: z.array(column).describe('各列的模型'),
  blind: z.boolean().describe('是否盲测：评分之前隐去名称与数据'),
})
export type Comparison = z.output<typeof comparison>

/** A person's vote on a turn: `winner` is the id of a model, `tie` or `none`. */
const vote = z.object({
  chat_id: turnId,
  winner: z.string().describe('胜出的模型的 ID，或 tie 平手、none 都不好'),
  kind: questionKind,
})
export type Vote = z.output<typeof vote>

/** One model and its messages: its questions, each with its answer. */
const messageGroup = z.object({
  model: z.string().describe('模型 ID'),
  messages: z.array(chatMessage).describe('这个模型的问题与回答'),
})
export type MessageGroup = z.output<typeof messageGroup>

/** Price of a question, coins. Tokens are estimates. */
const compareEstimate = z.object({
  models: z
    .array(
      z.object({
        model: z.string().describe('模型 ID'),
        /** The output is the average of the person's latest answers by this model, or 500. */
        ...tokenCounts,
        amount: z.number().describe('估算的费用，单位金币'),
        /** The longest answer by the dearest platform. */
        max_amount: z.number().describe('最多的费用，单位金币：提问时预留'),
      }),
    )
    .describe('各模型的估算'),
  total: z.number().describe('估算的费用合计，单位金币'),
  max_total: z.number().describe('最多的费用合计，单位金币'),
  missing: z.number().describe('还差的金币数；够则为 0'),
})
export type CompareEstimate = z.output<typeof compareEstimate>

/** A model's figures over the turns that were voted on. Averages are null where nothing is known. */
const score = z.object({
  model: z.string().describe('模型 ID'),
  votes: z.int().describe('得到评分的轮数'),
  wins: z.int().describe('胜的次数'),
  ties: z.int().describe('平的次数'),
  losses: z.int().describe('负的次数：别的模型胜出，或都不好'),
  win_rate: z.number().describe('胜率，0 到 1，平算一半'),
  /** Strength by Bradley and Terry on the scale of Elo; 1000 is the average. */
  rating: z.int().describe('等级分，1000 为平均'),
  first_text_ms: z.int().nullable().describe('平均首字用时，毫秒；不知道则为空'),
  tokens_per_second: z.number().nullable().describe('平均速度，Token/秒；不知道则为空'),
  amount: z.number().nullable().describe('每个回答的平均金额，单位金币；不知道则为空'),
})
export type Score = z.output<typeof score>

const blockIds = z
  .string()
  .max((MAX_BLOCKS_PER_QUESTION + 1) * 37)
  .nullish()

export const compareCalls = {
  'GET /api/compare/messages': {
    summary: '一个对比的列、消息（按模型分组，时间正序）和评分；before 之前的更早的轮次',
    auth: 'public',
    query: z.object({
      chatbot: comparisonId,
      before: z.uuid().optional().describe('只要这一轮之前的'),
      /** Counts turns, not messages. */
      size: pageSize(TURNS_PAGE_SIZE),
    }),
    response: comparison.extend({
      /** The columns in their order, then models that answered and are not columns. */
      groups: z.array(messageGroup).describe('各模型的消息，按列的顺序'),
      votes: z.array(vote).describe('各轮的评分'),
      has_more: z.boolean().describe('是否还有更早的轮次'),
    }),
    errors: ['not_found'],
  },
  'DELETE /api/compare/messages': {
    summary: '清空一个对比的消息',
    auth: 'guest',
    query: z.object({ chatbot: namedComparison }),
    response: z.object({ deleted: z.int().describe('删除的消息数') }),
    errors: ['not_found'],
  },
  'POST /api/compare/models': {
    summary: '添加一个模型（一列），或修改已有一列的参数；还没有对比时新建一个',
    auth: 'guest',
    creates_guest: true,
    body: z.object({
      model: modelId,
      chatbot: comparisonId,
      /** Absent leaves them, null removes them. */
      settings: columnSettings.nullish(),
      /** The column whose place this one takes. */
      replaces: modelId.nullish().describe('被换下的模型 ID'),
    }),
    response: comparison,
    errors: ['model_not_found', 'model_unavailable', 'guest_model', 'compare_full', 'not_found'],
  },
  'DELETE /api/compare/models': {
    summary: '移除一个模型（一列）；它的消息保留',
    auth: 'guest',
    query: z.object({ model: modelId, chatbot: namedComparison }),
    response: comparison,
    errors: ['not_found'],
  },
  'POST /api/compare/models/clear': {
    summary: '移除全部模型；消息保留',
    auth: 'guest',
    body: z.object({ chatbot: namedComparison }),
    response: comparison,
    errors: ['not_found'],
  },
  'PUT /api/compare': {
    summary: '开启或关闭盲测',
    auth: 'guest',
    creates_guest: true,
    body: z.object({
      chatbot: comparisonId,
      blind: z.boolean().describe('是否盲测：评分之前隐去名称与数据'),
    }),
    response: comparison,
    errors: ['not_found'],
  },
  'POST /api/compare/estimate': {
    summary: '提问之前估算各模型的费用；不保存任何内容',
    auth: 'guest',
    body: z.object({
      chatbot: comparisonId,
      prompt: z.string().max(MAX_PROMPT_CHARS).describe('问题'),
      models: z
        .array(modelId)
        .min(1)
        .max(MAX_COMPARED_MODELS)
        .nullish()
        .describe('要估算的模型；没有时为全部的列'),
      block: blockIds.describe('引用的文档的编号，用逗号分隔'),
      tools: z.array(z.string().min(1).max(40)).max(8).nullish().describe('使用的工具，如 web_search'),
    }),
    response: compareEstimate,
    errors: [
      'not_found',
      'compare_empty',
      'model_not_found',
      'model_unavailable',
      'guest_model',
      'block_reading',
      'block_failed',
      'tool_unknown',
      'tool_unavailable',
      'rate_limited',
    ],
  },
  'POST /api/compare/votes': {
    summary: '为一轮评分：选出最好的回答，或平手，或都不好；再次提交则修改',
    auth: 'guest',
    body: z.object({
      chat_id: turnId,
      /** The id of a model whose answer is done, `tie` or `none`. */
      winner: modelId.describe('胜出的模型的 ID，或 tie 平手、none 都不好'),
      /** Derived from the question by a rule when absent. */
      kind: questionKind.nullish(),
    }),
    response: z.object({ vote: vote.describe('评分') }),
    errors: ['not_found', 'vote_unready'],
  },
  'GET /api/compare/scoreboard': {
    summary: '我的记分板：各模型的胜负、评级和平均数据，可按天数和问题类型筛选',
    auth: 'public',
    query: z.object({
      days: z.int().min(1).max(MAX_SCOREBOARD_DAYS).optional().describe('只算最近几天的评分；没有时为全部'),
      kind: filterWord(questionKinds).optional().describe('问题的种类'),
    }),
    response: z.object({
      scores: z.array(score).describe('各模型的成绩，等级分高的在前'),
      kinds: z
        .array(z.object({ kind: questionKind, votes: z.int().describe('这种问题的评分数') }))
        .describe('按问题的种类统计的评分'),
    }),
  },
} as const satisfies Calls
