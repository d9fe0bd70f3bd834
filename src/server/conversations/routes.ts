import type { chatCalls, ChatMessage } from '#contract/chat.ts'
import type { Handlers, Visitor } from '#server/core/http.ts'
import { AppError } from '#server/core/app-error.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import { parseIdempotencyKey } from '#server/core/idempotency.ts'
import type { Conversations } from './conversations.ts'

/** Limit of questions by one visitor; far more than a person asks. */
const QUESTION_LIMIT = { points: 60, seconds: 60 }

export function chatRoutes(conversations: Conversations): Handlers<typeof chatCalls> {
  const limitQuestions = createRateLimit(QUESTION_LIMIT)
  return {
    'POST /api/chat/create': async ({ body }, { visitor, client, request }) => {
      await limitQuestions(visitor.user_id)
      const idempotency = parseIdempotencyKey(request, body)
      const created = conversations.createTurn({ visitor, client, idempotency }, body)
      const { chat_messages, question, session } = await created.catch((error: unknown) => {
        throw visitor.chatbot === undefined ? error : hideFunds(error)
      })
      const messages = chat_messages.map((message) => hideCosts(visitor, message))
      return { chat_message: messages[0]!, chat_messages: messages, question, session }
    },

    'GET /api/chat/completions': async ({ query }, { visitor, request, request_id, watchSession }) => {
      const lastEventId = request.headers.get('Last-Event-ID')
      const reader = { last_event_id: lastEventId, request_id }
      return { events: await conversations.attach(visitor.user_id, query, reader), session: watchSession() }
    },

    'POST /api/chat/completions': async ({ query }, { visitor, request }) => {
      const chatMessages = await conversations.waitForAnswers(visitor.user_id, query, request.signal)
      return { chat_message: chatMessages[0]!, chat_messages: chatMessages }
    },

    'POST /api/chat/cancel': async ({ body }, { visitor }) => ({
      chat_message: hideCosts(visitor, await conversations.cancel(visitor.user_id, body)),
    }),

    'GET /api/chat/explain': async ({ query }, { visitor }) => ({
      route: await conversations.explain(visitor.user_id, query),
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
      const page = await conversations.sessions.messages(visitor.user_id, query)
      return { ...page, messages: page.messages.map((message) => hideCosts(visitor, message)) }
    },

    'DELETE /api/chat/messages': async ({ query }, { visitor }) => ({
      deleted: await conversations.sessions.clear(visitor.user_id, query),
    }),
  }
}

/** Hides from visitors of an agent's widget what their questions cost its owner. */
const hideCosts = ({ chatbot }: Visitor, message: ChatMessage): ChatMessage =>
  chatbot === undefined ? message : { ...message, figures: null }

/** Hides from them that its owner has no coins: the error reads like a used-up daily limit. */
const hideFunds = (error: unknown): unknown =>
  error instanceof AppError && error.code === 'insufficient_balance' ? new AppError('widget_limit') : error
