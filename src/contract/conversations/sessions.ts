import { z } from 'zod'
import { sessionId } from '#contract/ids/ids.ts'
import type { Calls } from '#contract/call.ts'
import { chatSession } from '#contract/chat.ts'
import { chatbot, DATI, filterChatbot } from '#contract/chatbot.ts'
import { filterId, filterWord, pageNumber, paginated, pageSize } from '#contract/paging.ts'

const SESSIONS_PAGE_SIZE = 30
/** Most sessions that one call changes. */
export const MAX_SESSIONS_PER_CHANGE = 200
export const MAX_TITLE_CHARS = 60
export const MAX_SYSTEM_PROMPT_CHARS = 20_000
/** Longest answer where nothing else is set, tokens (specification section 3, SessionSettings). */
const DEFAULT_MAX_TOKENS = 4096

/** The settings of a session that it may hold itself. */
export const settingsFields = z.object({
  system_prompt: z.string().max(MAX_SYSTEM_PROMPT_CHARS).describe('系统提示词'),
  temperature: z.number().min(0).max(2).nullable().describe('随机程度，0 到 2；空为模型的默认值'),
  max_tokens: z.int().min(1).max(1_000_000).describe('最长的输出，Token 数；模型与余额可能允许更少'),
  stream: z.boolean().describe('是否流式返回；否则回答完整后才出现'),
})

/** SessionSettings of the specification (section 3), without the scope that they are stored under. */
export const sessionSettings = z
  .object({
    system_prompt: settingsFields.shape.system_prompt.default(''),
    temperature: settingsFields.shape.temperature.default(null),
    max_tokens: settingsFields.shape.max_tokens.default(DEFAULT_MAX_TOKENS),
    stream: settingsFields.shape.stream.default(true),
  })
  .describe('会话设置')
export type SessionSettings = z.output<typeof sessionSettings>

const settingsScope = z.enum(['session', 'user']).describe('范围：session 这个会话、user 新的会话')

/** Place where a search found its words: the newest message of a session that has them all. */
const sessionHit = z.object({
  message_id: z.uuid().describe('命中的消息的编号'),
  role: z.enum(['human', 'ai', 'system']).describe('角色：human 提问者、ai 回答者、system 系统'),
  /** The words around the first match, cut out of the text: `before + match + after`. */
  before: z.string().describe('命中的词之前的文字'),
  match: z.string().describe('命中的词'),
  after: z.string().describe('命中的词之后的文字'),
})
export type SessionHit = z.output<typeof sessionHit>

/** A session in the list. */
const listedSession = chatSession.extend({
  hit: sessionHit.nullable().describe('搜索命中的位置；没有搜索，或只命中标题则为空'),
  running_turn: z.uuid().nullable().describe('正在回答的那一轮的编号；没有则为空'),
  folder_id: z.uuid().nullable().describe('所在文件夹的编号；不在文件夹里则为空'),
})
export type ListedSession = z.output<typeof listedSession>

/**
 * The session of a call: the one of `sess_id`, which must be of the chatbot where the call names both; else the current one of
 * the chatbot, which is the general assistant when absent.
 */
const sessionScope = { chatbot: chatbot.optional(), sess_id: sessionId.nullish() }
const idParams = z.object({ id: sessionId })

export const sessionCalls = {
  'GET /api/chat/sessions': {
    summary:
      '会话列表，置顶的在前，其余最近的在前，tab 为 archived 时是已归档的，folder_id 只取一个文件夹里的；keywords 搜索标题和全部消息，最近的在前',
    auth: 'public',
    query: z.object({
      /** A bare channel stands for all of its agents or documents. */
      chatbot: filterChatbot.default(DATI),
      page: pageNumber,
      size: pageSize(SESSIONS_PAGE_SIZE),
      keywords: z.string().max(100).default('').describe('搜索的词：在标题和全部消息里'),
      tab: filterWord(['active', 'archived'])
        .default('active')
        .describe('列表：active 没有归档的、archived 已归档的；搜索时为全部'),
      folder_id: z
        .union([z.literal('none'), filterId])
        .optional()
        .describe('只要这个文件夹里的；none 为不在文件夹里的，搜索时为全部'),
    }),
    response: paginated(listedSession),
  },
  'POST /api/chat/session/new': {
    summary: '开启新会话',
    auth: 'guest',
    widget: true,
    creates_guest: true,
    body: z.object({ chatbot: chatbot.default(DATI) }),
    response: z.object({ session: chatSession }),
    errors: ['channel_unavailable', 'agent_required', 'agent_not_found', 'not_found'],
  },
  'POST /api/chat/session/switch': {
    summary: '切换当前会话',
    auth: 'public',
    body: z.object({ sess_id: sessionId }),
    response: z.object({ session: chatSession, settings: sessionSettings }),
    errors: ['not_found', 'login_expired'],
  },
  'GET /api/chat/session/settings': {
    summary: '会话设置，或新会话的默认设置（scope 为 user）',
    auth: 'guest',
    query: z.object({
      ...sessionScope,
      sess_id: sessionId.optional(),
      scope: settingsScope.default('session'),
    }),
    response: z.object({ settings: sessionSettings }),
    errors: ['not_found', 'agent_not_found'],
  },
  'POST /api/chat/session/settings': {
    summary: '保存会话设置，未提交的字段保持不变；scope 为 user 时保存为新会话的默认设置',
    auth: 'guest',
    creates_guest: true,
    body: settingsFields.partial().extend({ ...sessionScope, scope: settingsScope.default('session') }),
    response: z.object({
      settings: sessionSettings,
      scope: settingsScope,
      /** Null where the scope is `user`. */
      session: chatSession.nullable(),
    }),
    errors: ['not_found', 'channel_unavailable', 'agent_required', 'agent_not_found'],
  },
  'POST /api/chat/session/fork': {
    summary: '从一条消息分出新会话：复制到它所在的一轮为止',
    auth: 'guest',
    body: z.object({
      /** Channel of the new session; the old one's when absent. */
      chatbot: chatbot.nullish(),
      sess_id: sessionId.nullish(),
      message_id: z.uuid().nullish().describe('复制到哪一条消息为止；没有时为最后一条'),
    }),
    response: z.object({ session: chatSession }),
    errors: ['not_found', 'agent_required', 'agent_not_found', 'channel_unavailable', 'turn_running'],
  },
  'PATCH /api/chat/session/{id}': {
    summary: '重命名或置顶会话',
    auth: 'guest',
    params: idParams,
    body: z.object({
      title: z.string().trim().min(1).max(MAX_TITLE_CHARS).optional().describe('标题'),
      pinned: z.boolean().optional().describe('是否置顶'),
    }),
    response: z.object({ session: chatSession }),
    errors: ['not_found'],
  },
  'POST /api/chat/sessions/change': {
    summary: '归档、取出或删除多个会话；已不存在的会跳过',
    auth: 'guest',
    body: z.object({
      sess_ids: z.array(z.uuid()).min(1).max(MAX_SESSIONS_PER_CHANGE).describe('这些会话的编号'),
      action: z.enum(['archive', 'restore', 'delete']).describe('archive 归档、restore 取出、delete 删除'),
    }),
    response: z.object({ changed: z.int().describe('归档、取出或删除的会话数') }),
    errors: ['not_found'],
  },
  'POST /api/chat/session/{id}/title': {
    summary: '为会话拟一个简短的标题（由平台付费，每个会话一次；手动命名的不改）',
    auth: 'guest',
    params: idParams,
    response: z.object({ session: chatSession }),
    errors: ['not_found'],
  },
  'DELETE /api/chat/session/{id}': {
    summary: '删除会话及其消息',
    auth: 'guest',
    params: idParams,
    response: 'none',
    errors: ['not_found'],
  },
} as const satisfies Calls
