import { z } from 'zod'
import { tokenCounts } from '#contract/models.ts'
import { modelId, sessionId, turnId } from '#contract/ids/ids.ts'
import { createdAt, moment, updatedAt } from '#contract/dates/dates.ts'
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
  rating: z.enum(['up', 'down']).describe('评价：up 赞、down 踩'),
  reasons: z
    .array(z.enum(feedbackReasons))
    .max(feedbackReasons.length)
    .default([])
    .describe('觉得不好的原因'),
  text: z.string().trim().max(MAX_FEEDBACK_CHARS).default('').describe('评价的话'),
})
export type Feedback = z.output<typeof feedback>

/** ChatMessage of the specification (section 3). */
export const chatMessage = z.object({
  id: z.uuid().describe('消息的编号'),
  sess_id: sessionId,
  chat_id: turnId,
  role: z.enum(['human', 'ai', 'system']).describe('角色：human 提问者、ai 回答者、system 系统'),
  /**
   * An AI message that is still typing has the text so far, or the placeholder. One that failed before its first word has the
   * text of `error` (specification section 8).
   */
  text: z.string().describe('正文；还没有回答则为占位的文字，失败则为原因'),
  model: z.string().describe('请求的模型的 ID'),
  chat_model: z.string().describe('回答的模型的名称'),
  content_type: z.enum(['text', 'audio']).describe('内容的类型：text 或 audio'),
  stream: z.boolean().describe('是否流式返回'),
  status: messageStatus.describe(
    '状态：typing 进行中、done 完成、cancelled 已停止、failed 失败、interrupted 中断',
  ),
  error: z.string().nullable().describe('出错的原因；没有出错则为空'),
  tools: z.array(z.string()).describe('使用的工具'),
  /** Uuid of the agent that answered: differs from the session's where the answer was copied from elsewhere. */
  agent: z.string().nullable().describe('回答的智能体的编号；没有则为空'),
  block: z.string().nullable().describe('引用的文档的编号；没有则为空'),
  quick_action: z.string().nullable().describe('快捷操作，如 explain；自己写的问题则为空'),
  liked: z.boolean().describe('是否赞过'),
  feedback: feedback.nullable().describe('读者对这个回答的评价；没有则为空'),
  /** Questions that could follow an answer, once POST /api/chat/prompts/append has made them. */
  related_prompts: z.array(z.string()).describe('可以接着问的问题'),
  /** Set for an answer that was requested with the tool `web_search`. */
  search: messageSearch.nullable(),
  wants_related: z.boolean().describe('是否要可以接着问的问题'),
  reasoning: z.string().describe('思考过程'),
  reasoning_ms: z.int().nullable().describe('思考用时，毫秒；不知道则为空'),
  versions: z.array(z.uuid()).describe('这条消息的全部版本的编号，早的在前'),
  continuable: z.boolean().describe('是否可以接着写：回答没有写完'),
  /** Set for an answer that has ended and was charged; a continued one counts all its parts together. */
  figures: z
    .object({
      platform: z.string().describe('平台'),
      first_text_ms: z.int().nullable().describe('首字用时，毫秒；不知道则为空'),
      duration_ms: z.int().nullable().describe('用时，毫秒；不知道则为空'),
      ...tokenCounts,
      amount: z.number().describe('金额，单位金币'),
    })
    .nullable()
    .describe('用时与用量；没有结束或没有收费则为空'),
  created_at: createdAt,
})
export type ChatMessage = z.output<typeof chatMessage>

export const chatSession = z
  .object({
    id: z.uuid().describe('会话编号'),
    chatbot: z.string().describe('会话所属的助手，如 dati、zhiku-编号'),
    title: z.string().describe('标题'),
    pinned: z.boolean().describe('是否置顶'),
    archived: z.boolean().describe('是否已归档：不在列表里，但可以搜索'),
    model: z.string().nullable().describe('最近一次提问的模型；没有则为空'),
    current: z.boolean().describe('是否为当前会话：没有 sess_id 的调用指的就是它'),
    updated_at: updatedAt,
  })
  .describe('会话')
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
  model: z.string().describe('模型 ID'),
  platform: z.string().describe('作出回答的平台'),
  strategy: z.string().describe('策略分组'),
  provider_sort: z.string().describe('平台排序方式'),
  candidates: z
    .array(
      z.object({
        platform: z.string().describe('平台'),
        state: z
          .string()
          .describe(
            '状态：ready 可用、cooling 休息、probing 试探、unable 不支持、not_configured 未配置、other_vendor 不是原厂',
          ),
        reason: z.string().describe('状态的原因'),
        price: z.number().describe('综合价格（折后），金币/百万 Token'),
        latency_ms: z.number().nullable().describe('近期的首字延迟，毫秒'),
        throughput: z.number().nullable().describe('近期的速度，Token/秒'),
        uptime: z.number().nullable().describe('近期的可用率，0 到 1'),
      }),
    )
    .describe('候选的平台'),
  attempts: z
    .array(
      z.object({
        platform: z.string().describe('平台'),
        state: z.string().describe('结果：answered 完成、failed 失败、cut 中断、aborted 放弃'),
        code: z.string().nullable().describe('失败的代码；没有失败则为空'),
        reason: z.string().describe('结果的原因'),
        started_at: moment.describe('开始时间'),
        first_content_ms: z.number().nullable().describe('首字用时，毫秒；没有内容则为空'),
        ms: z.number().describe('用时，毫秒'),
        cost: z.number().describe('这一次的费用，单位金币；只有完成的收费'),
      }),
    )
    .describe('尝试过的平台'),
  bill: z
    .object({
      amount: z.number().describe('金额，单位金币'),
      ...tokenCounts,
      cached_tokens: z.int().describe('命中缓存的 Token 数'),
      cache_write_tokens: z.int().describe('写入缓存的 Token 数'),
      reasoning_tokens: z.int().describe('思考的 Token 数'),
      usage_source: z.enum(['upstream', 'counted']).describe('用量的来源：平台报告或估算'),
      flagged: z.boolean().describe('平台报告的用量是否可疑'),
    })
    .nullable()
    .describe('账单；没有结束或免费则为空'),
})
export type AnswerRoute = z.output<typeof answerRoute>

export const chatCalls = {
  'POST /api/chat/create': {
    summary: '提问：保存问题并开始回答',
    auth: 'guest',
    widget: true,
    creates_guest: true,
    body: question,
    response: z.object({
      /** The AI message to come; `chat_id` names the turn to attach to. */
      chat_message: chatMessage.describe('即将出现的回答'),
      chat_messages: z.array(chatMessage).describe('各模型的回答，第一个就是 chat_message'),
      question: chatMessage.describe('提问的消息'),
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
      chat_id: turnId,
      model: modelId.optional(),
      target_lang: z.string().min(1).max(20).optional().describe('翻译的目标语言'),
    }),
    response: 'stream',
    errors: ['not_found'],
  },
  'POST /api/chat/completions': {
    summary: '等待一次回答完成并返回全文（非流式）',
    auth: 'guest',
    query: z.object({
      chatbot: chatbot.default(DATI),
      chat_id: turnId,
      model: modelId.optional(),
    }),
    /** Without `model`, all answers of the turn, as soon as the last one has ended. */
    response: z.object({
      chat_message: chatMessage.describe('回答'),
      chat_messages: z.array(chatMessage).describe('这一轮的全部回答'),
    }),
    errors: ['not_found'],
  },
  'POST /api/chat/cancel': {
    summary: '停止一次回答，保留已产生的内容',
    auth: 'guest',
    widget: true,
    body: z.object({
      chat_id: turnId,
      /** One of several answers side by side; absent stops them all, empty none. */
      model: z.string().max(120).nullish().describe('只停止这个模型的回答；没有时停止全部'),
    }),
    response: z.object({ chat_message: chatMessage.describe('停止后的回答') }),
    errors: ['not_found'],
  },
  'GET /api/chat/explain': {
    summary: '一次回答的路由说明：考虑了哪些平台、请求了哪些、费用多少',
    auth: 'guest',
    query: z.object({
      chat_id: turnId,
      model: modelId.optional(),
    }),
    response: z.object({ route: answerRoute.describe('选择平台的经过') }),
    errors: ['not_found'],
  },
  'POST /api/chat/versions/choose': {
    summary: '显示一条消息的另一个版本，以及它之后的对话',
    auth: 'guest',
    body: z.object({ id: z.uuid().describe('要显示的版本的消息编号') }),
    response: z.object({ chat_message: chatMessage.describe('显示的版本') }),
    errors: ['not_found', 'turn_running'],
  },
  'DELETE /api/chat/turn/{chat_id}': {
    summary: '删除一轮：问题和它的全部回答，之后的对话保留',
    auth: 'guest',
    params: z.object({ chat_id: turnId }),
    response: 'none',
    errors: ['not_found', 'turn_running'],
  },
  'POST /api/chat/prompts/append': {
    summary: '为会话的最后一个回答推荐可以接着问的问题；每个回答只生成一次，按所用模型计费',
    auth: 'guest',
    body: z.object({
      chatbot: chatbot.optional(),
      sess_id: sessionId.nullish(),
      /** The model that writes them; where it is unavailable, the model of the answer does. */
      model: modelId.default(RELATED_PROMPTS_MODEL),
    }),
    response: z.object({ prompts: z.array(z.string()).describe('可以接着问的问题') }),
    errors: ['not_found', 'agent_not_found', 'model_unavailable', 'insufficient_balance', 'rate_limited'],
  },
  'GET /api/chat/messages': {
    summary: '一个会话的消息，从最新的往前翻页（或从指定消息前后翻页），按时间正序返回',
    auth: 'guest',
    widget: true,
    query: z.object({
      chatbot: chatbot.optional(),
      sess_id: sessionId.optional(),
      before: z.uuid().optional().describe('只要这条消息之前的'),
      after: z.uuid().optional().describe('只要这条消息之后的'),
      around: z.uuid().optional().describe('这条消息和它前后的'),
      size: pageSize(MESSAGES_PAGE_SIZE),
    }),
    response: z.object({
      messages: z.array(chatMessage).describe('消息，早的在前'),
      has_more: z.boolean().describe('是否还有更早的'),
      has_newer: z.boolean().describe('是否还有更新的；只有 after 与 around 会有'),
      session: chatSession.nullable(),
    }),
    errors: ['not_found', 'agent_not_found'],
  },
  'DELETE /api/chat/messages': {
    summary: '清空一个会话的消息：要写出是哪个会话（sess_id），或哪个频道的当前会话（chatbot）',
    auth: 'guest',
    query: z
      .object({ chatbot: chatbot.optional(), sess_id: sessionId.optional() })
      .refine((query) => query.chatbot !== undefined || query.sess_id !== undefined, {
        path: ['chatbot'],
        message: '请写出要清空的会话',
      }),
    response: z.object({ deleted: z.int().describe('删除的消息数') }),
    errors: ['not_found', 'agent_not_found'],
  },
} as const satisfies Calls
