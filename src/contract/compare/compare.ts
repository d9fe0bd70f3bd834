import { z } from 'zod'
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
const comparisonId = namedComparison.default(COMPARE)

const modelId = z.string().min(1).max(120)
const questionKind = z.enum(questionKinds)

/** A column's own settings; the session's settings fill in the rest. */
const columnSettings = settingsFields
  .pick({ system_prompt: true, temperature: true, max_tokens: true })
  .partial()
export type ColumnSettings = z.output<typeof columnSettings>

/** A column: a model, once in a comparison. */
const column = z.object({ model: z.string(), settings: columnSettings.nullable() })
export type Column = z.output<typeof column>

/** A comparison without its messages; the session is null until there is one. */
const comparison = z.object({
  session: chatSession.nullable(),
  models: z.array(column),
  /** Names and figures are hidden until the vote. */
  blind: z.boolean(),
})
export type Comparison = z.output<typeof comparison>

/** A person's vote on a turn: `winner` is the id of a model, `tie` or `none`. */
const vote = z.object({ chat_id: z.uuid(), winner: z.string(), kind: questionKind })
export type Vote = z.output<typeof vote>

/** One model and its messages: its questions, each with its answer. */
const messageGroup = z.object({ model: z.string(), messages: z.array(chatMessage) })
export type MessageGroup = z.output<typeof messageGroup>

/** Price of a question, coins. Tokens are estimates. */
const compareEstimate = z.object({
  models: z.array(
    z.object({
      model: z.string(),
      input_tokens: z.int(),
      /** Average of the person's latest answers by this model, or 500. */
      output_tokens: z.int(),
      amount: z.number(),
      /** Coins to be held: the longest answer by the dearest platform. */
      max_amount: z.number(),
    }),
  ),
  total: z.number(),
  max_total: z.number(),
  /** Coins that the account lacks for `max_total`; 0 where it has enough. */
  missing: z.number(),
})
export type CompareEstimate = z.output<typeof compareEstimate>

/** A model's figures over the turns that were voted on. Averages are null where nothing is known. */
const score = z.object({
  model: z.string(),
  votes: z.int().describe('得到评分的轮数'),
  wins: z.int(),
  ties: z.int(),
  /** Another model won, or none was good. */
  losses: z.int(),
  /** Wins and half of the ties as a share of all votes, 0–1. */
  win_rate: z.number(),
  /** Strength by Bradley and Terry on the scale of Elo; 1000 is the average. */
  rating: z.int(),
  first_text_ms: z.int().nullable(),
  /** Output tokens a second, from the first word to the end. */
  tokens_per_second: z.number().nullable(),
  /** Average coins of an answer. */
  amount: z.number().nullable(),
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
      /** Turns older than this one (a chat_id). */
      before: z.uuid().optional(),
      /** Counts turns, not messages. */
      size: pageSize(TURNS_PAGE_SIZE),
    }),
    response: comparison.extend({
      /** The columns in their order, then models that answered and are not columns. */
      groups: z.array(messageGroup),
      votes: z.array(vote),
      /** There are older turns. */
      has_more: z.boolean(),
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
    body: z.object({ chatbot: comparisonId, blind: z.boolean() }),
    response: comparison,
    errors: ['not_found'],
  },
  'POST /api/compare/estimate': {
    summary: '提问之前估算各模型的费用；不保存任何内容',
    auth: 'guest',
    body: z.object({
      chatbot: comparisonId,
      prompt: z.string().max(MAX_PROMPT_CHARS),
      /** All columns when absent. */
      models: z.array(modelId).min(1).max(MAX_COMPARED_MODELS).nullish(),
      block: blockIds,
      tools: z.array(z.string().min(1).max(40)).max(8).nullish(),
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
      chat_id: z.uuid(),
      /** The id of a model whose answer is done, `tie` or `none`. */
      winner: modelId,
      /** Derived from the question by a rule when absent. */
      kind: questionKind.nullish(),
    }),
    response: z.object({ vote }),
    errors: ['not_found', 'vote_unready'],
  },
  'GET /api/compare/scoreboard': {
    summary: '我的记分板：各模型的胜负、评级和平均数据，可按天数和问题类型筛选',
    auth: 'public',
    query: z.object({
      /** Counts votes of this many last days; all when absent. */
      days: z.int().min(1).max(MAX_SCOREBOARD_DAYS).optional(),
      kind: filterWord(questionKinds).optional(),
    }),
    response: z.object({
      /** The highest rating first. */
      scores: z.array(score),
      /** Votes of each kind, within the days. */
      kinds: z.array(z.object({ kind: questionKind, votes: z.int().describe('投票数') })),
    }),
  },
} as const satisfies Calls
