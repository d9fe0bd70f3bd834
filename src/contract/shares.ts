import { z } from 'zod'
import { sessionId } from '#contract/ids/ids.ts'
import { createdAt } from '#contract/dates/dates.ts'
import type { Calls } from './call.ts'
import { chatSession } from './chat.ts'
import { chatbot } from './chatbot.ts'
import { pageNumber, paginated, pageSize } from '#contract/paging.ts'
import { messageSearch } from '#contract/web-search.ts'

const SHARES_PAGE_SIZE = 20
/** Most messages that are chosen one by one: their ids travel in the address. */
export const MAX_SELECTED_MESSAGES = 200

/** A share as its owner sees it. */
const share = z.object({
  id: z.string().describe('分享的编号'),
  sess_id: sessionId,
  title: z.string().describe('标题，取自其中的第一个问题'),
  count: z.int().describe('消息数'),
  url: z.string().describe('分享链接的地址'),
  created_at: createdAt,
})
export type Share = z.output<typeof share>

const sharedAgent = z
  .object({ uuid: z.uuid().describe('智能体的编号'), name: z.string().describe('智能体的名称') })
  .describe('智能体')
export type SharedAgent = z.output<typeof sharedAgent>

/** A message as everybody with the link sees it, without the asker and the payment. */
const sharedMessage = z.object({
  nth: z.int().describe('在分享里的位置，从 0 起'),
  role: z.enum(['human', 'ai', 'system']).describe('角色：human 提问者、ai 回答者、system 系统'),
  text: z.string().describe('消息的正文'),
  content_type: z.enum(['text', 'audio']).describe('内容的类型：text 或 audio'),
  chat_model: z.string().describe('回答的模型的名称'),
  /** The agent that answered, while it is public; null for any other, and for the general assistant. */
  agent: sharedAgent.nullable(),
  search: messageSearch.nullable(),
  created_at: createdAt,
})
export type SharedMessage = z.output<typeof sharedMessage>

const sharedConversation = z.object({
  title: z.string().describe('标题'),
  messages: z.array(sharedMessage).describe('分享的消息'),
  user: z
    .object({ name: z.string().describe('昵称'), avatar: z.string().describe('头像的地址；没有则为空') })
    .describe('分享的人'),
  /** The agent of the last answer: conversations go on with it. */
  agent: sharedAgent.nullable(),
  created_at: createdAt,
})
export type SharedConversation = z.output<typeof sharedConversation>

/** Message ids of a query string, separated by commas. */
const messageIds = z
  .string()
  .max(MAX_SELECTED_MESSAGES * 37)
  .transform((text) => text.split(','))
  .pipe(z.array(z.uuid()).min(1).max(MAX_SELECTED_MESSAGES))

const shareId = z.string().min(1).max(80).describe('分享的编号')

export const shareCalls = {
  'GET /api/chat/session/link': {
    summary: '会话的分享链接：没有时创建，内容相同时返回已有的；可只分享选中的消息',
    auth: 'user',
    query: z.object({
      chatbot: chatbot.optional(),
      /** The current session when absent. */
      sess_id: sessionId.optional(),
      message_ids: messageIds.optional().describe('要分享的消息的编号，用逗号分隔；没有时为整个会话'),
    }),
    response: z.object({ share: share.describe('分享') }),
    errors: ['not_found', 'share_empty', 'share_count', 'rate_limited'],
  },
  'DELETE /api/chat/session/link': {
    summary: '撤销一个分享链接，立即失效',
    auth: 'user',
    query: z.object({ id: shareId }),
    response: 'none',
    errors: ['not_found'],
  },
  'GET /api/chat/session/links': {
    summary: '我的分享链接，新的在前',
    auth: 'user',
    query: z.object({ page: pageNumber, size: pageSize(SHARES_PAGE_SIZE) }),
    response: paginated(share),
  },
  'GET /api/session/{id}/messages': {
    summary: '一个分享的内容，无需登录',
    auth: 'public',
    params: z.object({ id: shareId }),
    response: sharedConversation,
    errors: ['not_found'],
  },
  'POST /api/session/{id}/continue': {
    summary: '继续这个对话：把分享的消息复制到自己的新会话，仍由其中公开的智能体回答',
    auth: 'user',
    params: z.object({ id: shareId }),
    response: z.object({ session: chatSession }),
    errors: ['not_found', 'rate_limited'],
  },
} as const satisfies Calls
