import type { AnswerRoute, ChatMessage, ChatSession } from '#contract/chat.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Visitor } from '#server/core/http.ts'
import type { ServerEvent } from '#server/core/sse.ts'
import type { TurnContext, TurnInput } from './assistant.ts'
import { streamAnswer } from './attach.ts'
import { presentMessage, presentSession } from './presentation.ts'
import { completeRelated, getRelatedPrompts } from './related.ts'
import type { CompletionHooks } from '#server/runs/runs.ts'
import { indexOldMessages } from './search/search.ts'
import { createSessions } from './sessions/sessions.ts'
import { moveSessions } from './sessions/store.ts'
import type { TitleDeps } from './sessions/title.ts'
import { createTurn } from './turns/create-turn.ts'
import type { TurnDeps } from './turns/create-turn.ts'
import { completeAnswers, listTurnMessages, selectAnswers } from './turns/store.ts'
import type { AnswerRow } from './turns/store.ts'
import { chooseVersion, deleteTurn } from './turns/versions.ts'

export type {
  AnswerNote,
  Assistant,
  Assistants,
  AssistantTurn,
  PromptContext,
  PromptPreparation,
  TurnContext,
  TurnInput,
} from './assistant.ts'
export { joinPreparations } from './assistant.ts'
export { addToQuestion } from './prompt.ts'
export type { CopiedMessage } from './sessions/conversation-copy.ts'

export type Conversations = ReturnType<typeof createConversations>

/** What happens to conversations when runs of each kind are settled. */
export const conversationCompletionHooks: Pick<CompletionHooks, 'chat' | 'related' | 'title'> = {
  chat: () => completeAnswers,
  related: () => completeRelated,
  // Whoever asked for a title waits for its run and stores it.
  title: null,
}

/** Conversations with any assistant: sessions, turns, versions, streams. */
export function createConversations(deps: TurnDeps & TitleDeps) {
  const { db, runs } = deps
  const sessions = createSessions(deps)

  /** The answers of a turn. A turn of somebody else reads like one that never was. */
  const requireAnswers = async (user_id: string, chat_id: string): Promise<AnswerRow[]> => {
    const answers = selectAnswers(await listTurnMessages(db, user_id, chat_id))
    const withRuns = answers.flatMap(({ run_id, ...answer }) => (run_id ? { ...answer, run_id } : []))
    if (!withRuns.length) throw new AppError('not_found')
    return withRuns
  }
  /** The answer of one of the models that were asked, or the first. */
  const requireAnswer = async (user_id: string, { chat_id, model }: AnswerRef): Promise<AnswerRow> => {
    const answers = await requireAnswers(user_id, chat_id)
    return answers.find((answer) => answer.model === model) ?? answers[0]!
  }

  return {
    sessions,

    /**
     * Asks a question: one answer, or with `models` one by each of them side by side. Throws AppError; then nothing is
     * stored or held.
     */
    async createTurn(context: TurnContext, input: TurnInput, models?: string[]): Promise<CreatedTurn> {
      const { session, question, answers } = await createTurn(deps, context, input, models)
      return {
        chat_messages: answers.map((answer) => presentMessage(answer)),
        question: presentMessage(question),
        session: presentSession(session, session.current),
      }
    },

    /** The events of an answer from where the reader stopped. */
    async attach(
      user_id: string,
      ref: AnswerRef,
      reader: { last_event_id: string | null; request_id: string },
    ): Promise<(signal: AbortSignal) => AsyncGenerator<ServerEvent>> {
      const answer = await requireAnswer(user_id, ref)
      return (signal) => streamAnswer({ runs, answer, ...reader }, signal)
    },

    /** Waits until an answer has ended, or the reader left. */
    async waitForAnswer(user_id: string, ref: AnswerRef, signal: AbortSignal): Promise<ChatMessage> {
      const answer = await requireAnswer(user_id, ref)
      if (answer.status === 'typing') {
        await runs.waitForEnd(answer.run_id, signal)
      }
      return sessions.present(await requireAnswer(user_id, ref))
    },

    /** How a turn's answer was routed, and what it cost. */
    async explain(user_id: string, chat_id: string): Promise<AnswerRoute> {
      const route = await runs.explain((await requireAnswer(user_id, { chat_id })).run_id)
      if (!route) throw new AppError('not_found')
      return route
    },

    /** Stops the answers of a turn; the text so far stays. */
    async cancel(user_id: string, chat_id: string): Promise<ChatMessage> {
      const answers = await requireAnswers(user_id, chat_id)
      const typing = answers.filter(({ status }) => status === 'typing')
      await Promise.all(typing.map(({ run_id }) => runs.cancel(run_id)))
      return sessions.present(await requireAnswer(user_id, { chat_id }))
    },

    /** Shows another version of a message and what follows it. */
    chooseVersion: async (user_id: string, id: string): Promise<ChatMessage> =>
      presentMessage(await chooseVersion(db, user_id, id)),

    deleteTurn: (user_id: string, chat_id: string) => deleteTurn(db, user_id, chat_id),

    /** Questions that could follow the last answer of the named session, or of the current one. */
    async getRelatedPrompts(
      visitor: Visitor,
      { chatbot, sess_id, model }: { chatbot: string; sess_id?: string | null | undefined; model: string },
    ): Promise<string[]> {
      const session = await sessions.find(visitor.user_id, chatbot, sess_id ?? undefined)
      return session ? getRelatedPrompts(deps, visitor, { sess_id: session.id, model }) : []
    },

    mergeGuest: (tx: Db, guest_id: string, user_id: string) => moveSessions(tx, guest_id, user_id),
    indexOldMessages: () => indexOldMessages(db),
  }
}

/** A turn, and of several answers side by side the model of one. */
type AnswerRef = { chat_id: string; model?: string | undefined }

/** A turn as the wire shows it: an answer for each model that was asked. */
type CreatedTurn = { question: ChatMessage; chat_messages: ChatMessage[]; session: ChatSession }
