import type { chatCalls } from '#contract/chat.ts'
import type { Handlers } from '../core/http.ts'
import { AppError } from '../core/app-error.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import { parseIdempotencyKey } from '../core/idempotency.ts'
import { createEventStream } from '../core/sse.ts'
import type { Chat } from './chat.ts'
import { presentMessage, presentSession } from '#server/conversations/presentation.ts'
import { completionEvents } from '#server/conversations/attach.ts'

/** Questions of one visitor; far above what a person asks. */
const QUESTION_LIMIT = { points: 60, seconds: 60 }

export function chatRoutes(chat: Chat): Handlers<typeof chatCalls> {
  const limitQuestions = createRateLimit(QUESTION_LIMIT)
  return {
    'POST /api/chat/create': async ({ body }, { visitor, client, request }) => {
      await limitQuestions(visitor.user_id)
      const { session, question, answer } = await chat.createTurn(
        { visitor, client, idempotency: parseIdempotencyKey(request, body) },
        body,
      )
      return {
        chat_message: presentMessage(answer),
        question: presentMessage(question),
        session: presentSession(session, true),
      }
    },

    'GET /api/chat/completions': async ({ query }, { visitor, request, request_id }) => {
      const last_event_id = request.headers.get('Last-Event-ID')
      const followed = await chat.attach(visitor.user_id, query.chat_id, last_event_id)
      return createEventStream((signal) => completionEvents(followed, signal, request_id))
    },

    'POST /api/chat/completions': async ({ query }, { visitor, request }) => ({
      chat_message: await chat.waitForAnswer(visitor.user_id, query.chat_id, request.signal),
    }),

    'POST /api/chat/cancel': async ({ body }, { visitor }) => ({
      chat_message: await chat.cancel(visitor.user_id, body.chat_id),
    }),

    'GET /api/chat/explain': async ({ query }, { visitor }) => ({
      route: await chat.explain(visitor.user_id, query.chat_id),
    }),

    'POST /api/chat/versions/choose': async ({ body }, { visitor }) => ({
      chat_message: await chat.chooseVersion(visitor.user_id, body.id),
    }),

    'DELETE /api/chat/turn/{chat_id}': async ({ params }, { visitor }) => {
      await chat.deleteTurn(visitor.user_id, params.chat_id)
      return undefined
    },

    'POST /api/chat/prompts/append': async ({ body }, { visitor }) => {
      await limitQuestions(visitor.user_id)
      return { prompts: await chat.getRelatedPrompts(visitor, body) }
    },

    'GET /api/chat/messages': async ({ query }, { visitor }) => {
      if (visitor) return chat.sessions.messages(visitor.user_id, query)
      if (query.sess_id) throw new AppError('not_found')
      return { messages: [], has_more: false, has_newer: false, session: null }
    },

    'DELETE /api/chat/messages': async ({ query }, { visitor }) => ({
      deleted: await chat.sessions.clear(visitor.user_id, query.chatbot, query.sess_id),
    }),
  }
}
