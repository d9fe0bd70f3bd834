import type { feedbackCalls } from '#contract/conversations/feedback.ts'
import type { Handlers } from '#server/core/http.ts'
import type { Conversations } from '../conversations.ts'

export const feedbackRoutes = (conversations: Conversations): Handlers<typeof feedbackCalls> => ({
  'PUT /api/chat/message/{id}/feedback': async ({ params, body }, { visitor }) => ({
    chat_message: await conversations.setFeedback(visitor.user_id, params.id, body),
  }),

  'DELETE /api/chat/message/{id}/feedback': async ({ params }, { visitor }) => {
    await conversations.setFeedback(visitor.user_id, params.id, null)
    return undefined
  },
})
