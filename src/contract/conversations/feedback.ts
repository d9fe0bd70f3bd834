import { z } from 'zod'
import type { Calls } from '#contract/call.ts'
import { chatMessage, feedback } from '#contract/chat.ts'

const idParams = z.object({ id: z.uuid().describe('消息的编号') })

export const feedbackCalls = {
  'PUT /api/chat/message/{id}/feedback': {
    summary: '评价一个回答：赞或踩，可附原因和一段话；再次提交会替换之前的评价',
    auth: 'guest',
    params: idParams,
    body: feedback,
    response: z.object({ chat_message: chatMessage.describe('被评价的消息') }),
    errors: ['not_found'],
  },
  'DELETE /api/chat/message/{id}/feedback': {
    summary: '撤销对一个回答的评价',
    auth: 'guest',
    params: idParams,
    response: 'none',
    errors: ['not_found'],
  },
} as const satisfies Calls
