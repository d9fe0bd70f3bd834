import { z } from 'zod'
import { moment } from '#contract/dates/dates.ts'
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
  id: z.string(),
  sess_id: z.uuid(),
  /** Taken from the first question of the share itself. */
  title: z.string(),
  /** Number of messages that it shows. */
  count: z.int(),
  /** The address to pass on. */
  url: z.string(),
  created_at: moment,
})
export type Share = z.output<typeof share>

const sharedAgent = z.object({ uuid: z.uuid(), name: z.string() })
export type SharedAgent = z.output<typeof sharedAgent>

/** A message as everybody with the link sees it, without the asker and the payment. */
const sharedMessage = z.object({
  /** Its place in the share, from 0. */
  nth: z.int(),
  role: z.enum(['human', 'ai', 'system']),
  text: z.string(),
  content_type: z.enum(['text', 'audio']),
  /** The model that answered. */
  chat_model: z.string(),
  /** The agent that answered, while it is public; null for any other, and for the general assistant. */
  agent: sharedAgent.nullable(),
  search: messageSearch.nullable(),
  created_at: moment,
})
export type SharedMessage = z.output<typeof sharedMessage>

const sharedConversation = z.object({
  title: z.string(),
  messages: z.array(sharedMessage),
  user: z.object({ name: z.string(), avatar: z.string() }),
  /** The agent of the last answer: conversations go on with it. */
  agent: sharedAgent.nullable(),
  created_at: moment,
})
export type SharedConversation = z.output<typeof sharedConversation>

/** Message ids of a query string, separated by commas. */
const messageIds = z
  .string()
  .max(MAX_SELECTED_MESSAGES * 37)
  .transform((text) => text.split(','))
  .pipe(z.array(z.uuid()).min(1).max(MAX_SELECTED_MESSAGES))

const shareId = z.string().min(1).max(80)

export const shareCalls = {
  'GET /api/chat/session/link': {
    summary: '会话的分享链接：没有时创建，内容相同时返回已有的；可只分享选中的消息',
    auth: 'user',
    query: z.object({
      chatbot: chatbot.optional(),
      /** The current session when absent. */
      sess_id: z.uuid().optional(),
      /** Ids of the messages to share, separated by commas; the whole conversation when absent. */
      message_ids: messageIds.optional(),
    }),
    response: z.object({ share }),
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
