import { z } from 'zod'
import { moment } from '#contract/dates/dates.ts'
import type { Calls } from './call.ts'
import { chatbot, DATI } from './chatbot.ts'
import { question } from '#contract/questions/questions.ts'
import { pageSize } from '#contract/paging.ts'
import { messageSearch } from '#contract/web-search.ts'
import type { MessageSearch } from '#contract/web-search.ts'

/** Text of an AI message until its first own text arrives (specification section 4). Never stored. */
export const PLACEHOLDER = '正在思考如何回答您的问题，请稍候...'
export const MESSAGES_PAGE_SIZE = 10
/** The model that writes follow-up questions, unless the request names another (specification section 9). */
const RELATED_PROMPTS_MODEL = 'deepseek-chat'

/** Life of one answer. Only `typing` can change; a stop of the server turns it into `interrupted`. */
export const messageStatuses = ['typing', 'done', 'cancelled', 'failed', 'interrupted'] as const
const messageStatus = z.enum(messageStatuses)

export const MAX_FEEDBACK_CHARS = 500
/** Why an answer is not good. */
export const feedbackReasons = [
  'inaccurate',
  'incomplete',
  'off_topic',
  'outdated',
  'unclear',
  'harmful',
] as const

/** A reader's opinion of an answer. */
export const feedback = z.object({
  rating: z.enum(['up', 'down']),
  reasons: z.array(z.enum(feedbackReasons)).max(feedbackReasons.length).default([]),
  text: z.string().trim().max(MAX_FEEDBACK_CHARS).default(''),
})
export type Feedback = z.output<typeof feedback>

/** ChatMessage of the specification (section 3). */
export const chatMessage = z.object({
  id: z.uuid(),
  sess_id: z.uuid(),
  /** The turn: a question and its answer share it. */
  chat_id: z.uuid(),
  role: z.enum(['human', 'ai', 'system']),
  /**
   * An AI message that is still typing has the text so far, or the placeholder. One that failed before its first word has the
   * text of `error` (specification section 8).
   */
  text: z.string(),
  /** The requested model, and the one that answered. */
  model: z.string(),
  chat_model: z.string(),
  content_type: z.enum(['text', 'audio']),
  stream: z.boolean(),
  status: messageStatus,
  /** Chinese reason of a failed or interrupted answer. */
  error: z.string().nullable(),
  tools: z.array(z.string()),
  /** Uuid of the agent that answered: differs from the session's where the answer was copied from elsewhere. */
  agent: z.string().nullable(),
  block: z.string().nullable(),
  /** The ready-made action that asked this, such as `explain`; null for a question in the person's own words. */
  quick_action: z.string().nullable(),
  /** The reader likes this answer. */
  liked: z.boolean().describe('是否赞过'),
  /** The reader's opinion of this answer. */
  feedback: feedback.nullable(),
  /** Questions that could follow an answer, once POST /api/chat/prompts/append has made them. */
  related_prompts: z.array(z.string()),
  /** Set for an answer that was requested with the tool `web_search`. */
  search: messageSearch.nullable(),
  /** The question requested follow-up questions. */
  wants_related: z.boolean(),
  /** The model's thoughts before it spoke, and their duration (null where unknown). */
  reasoning: z.string(),
  reasoning_ms: z.int().nullable(),
  /** Ids of this message and of all that was asked or answered in its place, from the oldest to the newest. */
  versions: z.array(z.uuid()),
  /** The answer ended before it was whole: `continue` goes on with it. */
  continuable: z.boolean(),
  /** Set for an answer that has ended and was charged; a continued one counts all its parts together. */
  figures: z
    .object({
      platform: z.string(),
      /** From the start to the first word. */
      first_text_ms: z.int().nullable(),
      /** From the start to the end; null where unknown. */
      duration_ms: z.int().nullable(),
      input_tokens: z.int(),
      output_tokens: z.int(),
      /** Coins. */
      amount: z.number(),
    })
    .nullable(),
  created_at: moment,
})
export type ChatMessage = z.output<typeof chatMessage>

export const chatSession = z.object({
  id: z.uuid(),
  chatbot: z.string(),
  title: z.string(),
  /** Kept on top of the list. */
  pinned: z.boolean(),
  /** Put away: out of the list, but within searches. A question in it brings it back. */
  archived: z.boolean(),
  /** Model of its last question. */
  model: z.string().nullable(),
  /** The session that calls without a sess_id mean. */
  current: z.boolean(),
  updated_at: moment,
})
export type ChatSession = z.output<typeof chatSession>

/**
 * `data:` of one event of GET /chat/completions; its `id:` is `{run}:{characters so far}`, followed by a dot and the characters
 * of reasoning where there are any. `[DONE]` comes after the last event, except after `error`. `replace`: the text replaces all
 * text before it. Each piece of a model whose name contains farui, and of a translation by one whose name begins with qwen, does
 * so and is the whole text so far, also for a reader that comes back: clients know it by the name alone. `search` comes without
 * an id, before the text, on each change and once for every reader.
 */
export type ChatStreamEvent =
  | { delta_content: string; replace?: true }
  | { search: MessageSearch }
  /** The model's thoughts before it speaks; `reasoning_ms` is their duration so far. */
  | { delta_reasoning: string; reasoning_ms: number | null }
  | { state: 'cancelled' }
  | { error: { message: string; code: string; request_id: string } }

/**
 * An event of a turn whose answers stand side by side (channel `compare`), for a request without `model`: one stream for all of
 * them, each event with its model, and an id as above. An answer ends by a `state` or by `error`; no event has a name, and
 * `[DONE]` comes when all have ended. A reader that comes back sends as Last-Event-ID the last id of each answer, separated by
 * commas.
 */
export type TurnStreamEvent = (ChatStreamEvent | { state: 'done' }) & { model: string }

/** The platforms considered for an answer, those asked, and the cost. */
const answerRoute = z.object({
  model: z.string(),
  /** The platform that answered last. */
  platform: z.string(),
  strategy: z.string(),
  provider_sort: z.string(),
  candidates: z.array(
    z.object({
      platform: z.string(),
      state: z.string(),
      reason: z.string(),
      /** Blended price, coins per million tokens after discount. */
      price: z.number(),
      latency_ms: z.number().nullable(),
      throughput: z.number().nullable(),
      uptime: z.number().nullable(),
    }),
  ),
  attempts: z.array(
    z.object({
      platform: z.string(),
      state: z.string(),
      code: z.string().nullable(),
      reason: z.string(),
      started_at: moment,
      first_content_ms: z.number().nullable(),
      ms: z.number(),
      /** Coins charged for this attempt: only the successful one costs. */
      cost: z.number(),
    }),
  ),
  /** Null until the answer has ended, and for a free one. */
  bill: z
    .object({
      /** Coins charged. */
      amount: z.number(),
      input_tokens: z.int(),
      output_tokens: z.int(),
      cached_tokens: z.int(),
      cache_write_tokens: z.int(),
      reasoning_tokens: z.int(),
      usage_source: z.enum(['upstream', 'counted']),
      flagged: z.boolean(),
    })
    .nullable(),
})
export type AnswerRoute = z.output<typeof answerRoute>

const sessId = z.uuid()

export const chatCalls = {
  'POST /api/chat/create': {
    summary: '提问：保存问题并开始回答',
    auth: 'guest',
    widget: true,
    creates_guest: true,
    body: question,
    response: z.object({
      /** The AI message to come; `chat_id` names the turn to attach to. */
      chat_message: chatMessage,
      /** One message for each model asked; `chat_message` is the first. */
      chat_messages: z.array(chatMessage),
      question: chatMessage,
      session: chatSession,
    }),
    errors: [
      'guest_limit',
      'guest_budget',
      'guest_model',
      'empty_prompt',
      'tool_unavailable',
      'tool_unknown',
      'block_reading',
      'block_failed',
      'pictures_too_large',
      'audio_unavailable',
      'agent_required',
      'turn_running',
      'not_continuable',
      'channel_unavailable',
      'compare_empty',
      'compare_full',
      'model_not_found',
      'model_unavailable',
      'insufficient_balance',
      'not_found',
      'rate_limited',
      'widget_limit',
      'widget_turns',
      'idempotency_mismatch',
    ],
  },
  'GET /api/chat/completions': {
    summary: '订阅一次回答的事件流：从头（或 Last-Event-ID 之后）重放，然后实时推送，以 [DONE] 结束',
    auth: 'guest',
    widget: true,
    query: z.object({
      chatbot: chatbot.default(DATI),
      chat_id: z.uuid(),
      model: z.string().min(1).max(120).optional(),
      target_lang: z.string().min(1).max(20).optional(),
    }),
    response: 'stream',
    errors: ['not_found'],
  },
  'POST /api/chat/completions': {
    summary: '等待一次回答完成并返回全文（非流式）',
    auth: 'guest',
    query: z.object({
      chatbot: chatbot.default(DATI),
      chat_id: z.uuid(),
      model: z.string().min(1).max(120).optional(),
    }),
    /** Without `model`, all answers of the turn, as soon as the last one has ended. */
    response: z.object({ chat_message: chatMessage, chat_messages: z.array(chatMessage) }),
    errors: ['not_found'],
  },
  'POST /api/chat/cancel': {
    summary: '停止一次回答，保留已产生的内容',
    auth: 'guest',
    widget: true,
    body: z.object({
      chat_id: z.uuid(),
      /** One of several answers side by side; absent stops them all, empty none. */
      model: z.string().max(120).nullish(),
    }),
    response: z.object({ chat_message: chatMessage }),
    errors: ['not_found'],
  },
  'GET /api/chat/explain': {
    summary: '一次回答的路由说明：考虑了哪些平台、请求了哪些、费用多少',
    auth: 'guest',
    query: z.object({ chat_id: z.uuid(), model: z.string().min(1).max(120).optional() }),
    response: z.object({ route: answerRoute }),
    errors: ['not_found'],
  },
  'POST /api/chat/versions/choose': {
    summary: '显示一条消息的另一个版本，以及它之后的对话',
    auth: 'guest',
    body: z.object({ id: z.uuid() }),
    response: z.object({ chat_message: chatMessage }),
    errors: ['not_found', 'turn_running'],
  },
  'DELETE /api/chat/turn/{chat_id}': {
    summary: '删除一轮：问题和它的全部回答，之后的对话保留',
    auth: 'guest',
    params: z.object({ chat_id: z.uuid() }),
    response: 'none',
    errors: ['not_found', 'turn_running'],
  },
  'POST /api/chat/prompts/append': {
    summary: '为会话的最后一个回答推荐可以接着问的问题；每个回答只生成一次，按所用模型计费',
    auth: 'guest',
    body: z.object({
      chatbot: chatbot.optional(),
      sess_id: sessId.nullish(),
      /** The model that writes them; where it is unavailable, the model of the answer does. */
      model: z.string().min(1).max(120).default(RELATED_PROMPTS_MODEL),
    }),
    response: z.object({ prompts: z.array(z.string()) }),
    errors: ['not_found', 'agent_not_found', 'model_unavailable', 'insufficient_balance', 'rate_limited'],
  },
  'GET /api/chat/messages': {
    summary: '一个会话的消息，从最新的往前翻页（或从指定消息前后翻页），按时间正序返回',
    auth: 'guest',
    widget: true,
    query: z.object({
      chatbot: chatbot.optional(),
      sess_id: sessId.optional(),
      /** Messages older than this one. */
      before: z.uuid().optional(),
      /** Messages newer than this one. */
      after: z.uuid().optional(),
      /** This message, with as many older as newer ones around it. */
      around: z.uuid().optional(),
      size: pageSize(MESSAGES_PAGE_SIZE),
    }),
    response: z.object({
      messages: z.array(chatMessage),
      /** There are older messages. */
      has_more: z.boolean(),
      /** There are newer messages: only with `after` or `around`. */
      has_newer: z.boolean(),
      session: chatSession.nullable(),
    }),
    errors: ['not_found', 'agent_not_found'],
  },
  'DELETE /api/chat/messages': {
    summary: '清空一个会话的消息：要写出是哪个会话（sess_id），或哪个频道的当前会话（chatbot）',
    auth: 'guest',
    query: z
      .object({ chatbot: chatbot.optional(), sess_id: sessId.optional() })
      .refine((query) => query.chatbot !== undefined || query.sess_id !== undefined, {
        path: ['chatbot'],
        message: '请写出要清空的会话',
      }),
    response: z.object({ deleted: z.int().describe('删除的消息数') }),
    errors: ['not_found', 'agent_not_found'],
  },
} as const satisfies Calls
