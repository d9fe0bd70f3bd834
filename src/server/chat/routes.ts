import type { chatCalls } from '#contract/chat.ts'
import type { Handlers } from '#server/core/http.ts'
import { AppError } from '#server/core/app-error.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import { parseIdempotencyKey } from '#server/core/idempotency.ts'
import { createEventStream } from '#server/core/sse.ts'
import type { Conversations } from '#server/conversations/conversations.ts'

/** Questions of one visitor; far above what a person asks. */
const QUESTION_LIMIT = { points: 60, seconds: 60 }

export function chatRoutes(conversations: Conversations): Handlers<typeof chatCalls> {
  const limitQuestions = createRateLimit(QUESTION_LIMIT)
  return {
    'POST /api/chat/create': async ({ body }, { visitor, client, request }) => {
      await limitQuestions(visitor.user_id)
      const idempotency = parseIdempotencyKey(request, body)
      const { chat_messages, question, session } = await conversations.createTurn(
        { visitor, client, idempotency },
        body,
      )
      return { chat_message: chat_messages[0]!, question, session }
    },

    'GET /api/chat/completions': async ({ query }, { visitor, request, request_id, watchSession }) => {
      const last_event_id = request.headers.get('Last-Event-ID')
      const reader = { last_event_id, request_id }
      return createEventStream(await conversations.attach(visitor.user_id, query, reader), watchSession())
    },

    'POST /api/chat/completions': async ({ query }, { visitor, request }) => ({
      chat_message: await conversations.waitForAnswer(visitor.user_id, query, request.signal),
    }),

    'POST /api/chat/cancel': async ({ body }, { visitor }) => ({
      chat_message: await conversations.cancel(visitor.user_id, body.chat_id),
    }),

    'GET /api/chat/explain': async ({ query }, { visitor }) => ({
      route: await conversations.explain(visitor.user_id, query.chat_id),
    }),

    'POST /api/chat/versions/choose': async ({ body }, { visitor }) => ({
      chat_message: await conversations.chooseVersion(visitor.user_id, body.id),
    }),

    'DELETE /api/chat/turn/{chat_id}': async ({ params }, { visitor }) => {
      await conversations.deleteTurn(visitor.user_id, params.chat_id)
      return undefined
    },

    'POST /api/chat/prompts/append': async ({ body }, { visitor }) => {
      await limitQuestions(visitor.user_id)
      return { prompts: await conversations.getRelatedPrompts(visitor, body) }
    },

    'GET /api/chat/messages': async ({ query }, { visitor }) => {
      if (visitor) return conversations.sessions.messages(visitor.user_id, query)
      if (query.sess_id) throw new AppError('not_found')
      return { messages: [], has_more: false, has_newer: false, session: null }
    },

    'DELETE /api/chat/messages': async ({ query }, { visitor }) => ({
      deleted: await conversations.sessions.clear(visitor.user_id, query.chatbot, query.sess_id),
    }),
  }
}
