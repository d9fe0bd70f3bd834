import type { AnswerRoute, ChatMessage, ChatSession, Feedback } from '#contract/chat.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Visitor } from '#server/core/http.ts'
import type { ServerEvent } from '#server/core/event-stream/send-events.ts'
import { findAssistant } from './assistant.ts'
import type { TurnContext, TurnInput } from './assistant.ts'
import { repeatText, streamAnswer, streamEvents, streamTurn } from './attach.ts'
import type { MessageRow } from './messages/store.ts'
import { presentMessage, presentSession } from './presentation.ts'
import { completeRelated, getRelatedPrompts } from './related.ts'
import type { CompletionHooks, RunEstimate } from '#server/runs/runs.ts'
import { indexOldMessages } from './search/search.ts'
import { createFolders } from './folders/folders.ts'
import { createSessions } from './sessions/sessions.ts'
import { moveSessions } from './sessions/store.ts'
import type { SessionRef } from './sessions/store.ts'
import type { TitleDeps } from './sessions/title.ts'
import { changeAnswer } from './turns/change-answer.ts'
import type { TurnRef } from './turns/change-answer.ts'
import { createTurn } from './turns/create-turn.ts'
import type { TurnDeps } from './turns/create-turn.ts'
import { estimateTurn } from './turns/estimate-turn.ts'
import type { EstimateInput } from './turns/estimate-turn.ts'
import {
  completeAnswers,
  findMessage,
  listTurnMessages,
  selectAnswers,
  updateFeedback,
} from './turns/store.ts'
import type { AnswerChange, AnswerRow } from './turns/store.ts'
import { chooseVersion, deleteTurn } from './turns/versions.ts'

export type {
  AnswerEvent,
  Assistant,
  Assistants,
  PrefilledAnswer,
  PromptContext,
  PromptPreparation,
  TurnContext,
} from './assistant.ts'
export { joinPreparations } from './assistant.ts'
export { addToQuestion } from './prompt.ts'
export { completeAnswers, countFeedback } from './turns/store.ts'

export type Conversations = ReturnType<typeof createConversations>

/** The work on conversations when runs of each kind are settled. */
export const conversationCompletionHooks: Pick<CompletionHooks, 'chat' | 'related' | 'title'> = {
  chat: () => completeAnswers,
  related: () => completeRelated,
  // The request for a title waits for its run and stores it.
  title: null,
}

/** Conversations with any assistant: sessions, turns, versions, streams. */
export function createConversations(deps: TurnDeps & TitleDeps) {
  const { db, runs, assistants } = deps
  const sessions = createSessions(deps)

  const listAnswers = async (userId: string, chatId: string): Promise<AnswerRow[]> => {
    const answers = selectAnswers(await listTurnMessages(db, userId, chatId))
    return answers.map((answer) => ({ ...answer, run_id: answer.run_id ?? answer.id }))
  }
  /** Returns the answers of a turn. Another user's turn looks as if it did not exist. */
  const requireAnswers = async (userId: string, chatId: string): Promise<AnswerRow[]> => {
    const answers = await listAnswers(userId, chatId)
    if (!answers.length) throw new AppError('not_found')
    return answers
  }
  /** Selects the answer of a model, or the first one. Answers side by side do not stand in for each other: throws not_found. */
  const selectAnswer = (answers: AnswerRow[], model: string | null | undefined): AnswerRow => {
    const match = answers.find((answer) => answer.model === model)
    if (!match && model && answers[0]!.lane) throw new AppError('not_found')
    return match ?? answers[0]!
  }
  const requireAnswer = async (userId: string, { chat_id, model }: AnswerRef): Promise<AnswerRow> =>
    selectAnswer(await requireAnswers(userId, chat_id), model)

  return {
    sessions,
    folders: createFolders(db),

    /** Asks a question: one answer, or several side by side. Throws AppError, and then nothing is stored or held. */
    async createTurn(context: TurnContext, input: TurnInput): Promise<CreatedTurn> {
      const { session, question, answers } = await createTurn(deps, context, input)
      return {
        chat_messages: answers.map((answer) => presentMessage(answer)),
        question: presentMessage(question),
        session: presentSession(session, session.current),
      }
    },

    /** Estimates the cost of a question in these lanes, in their order. Stores nothing. Throws AppError as `createTurn` does. */
    estimate: (context: TurnContext, input: EstimateInput): Promise<RunEstimate[]> =>
      estimateTurn(deps, context, input),

    /** Attaches to an answer at the reader's position; to all answers side by side, if no model is named. */
    async attach(
      userId: string,
      ref: AnswerRef & { chatbot: string },
      reader: { last_event_id: string | null; request_id: string },
    ): Promise<(signal: AbortSignal) => AsyncGenerator<ServerEvent>> {
      const assistant = findAssistant(assistants, ref.chatbot)
      const repeatsText = (model: string): boolean =>
        REPEATING_MODELS.test(model) || (assistant?.repeatsText?.(model) ?? false)
      const answers = await listAnswers(userId, ref.chat_id)
      if (!answers.length) {
        const watch = await assistant?.watchOther?.(userId, ref.chat_id)
        if (!watch) throw new AppError('not_found')
        const repeats = repeatsText(ref.model ?? '')
        return (signal) =>
          streamEvents(repeats ? repeatText(watch(signal)) : watch(signal), reader.request_id)
      }
      const reading = { runs, repeatsText, ...reader }
      if (!ref.model && answers[0]!.lane) return (signal) => streamTurn({ answers, ...reading }, signal)
      const answer = selectAnswer(answers, ref.model)
      return (signal) => streamAnswer({ answer, ...reading }, signal)
    },

    /** Waits for the end of an answer, or of the whole turn if no model is named; or until the reader leaves. */
    async waitForAnswers(userId: string, ref: AnswerRef, signal: AbortSignal): Promise<ChatMessage[]> {
      const select = async (): Promise<AnswerRow[]> => {
        const answers = await requireAnswers(userId, ref.chat_id)
        return ref.model ? [selectAnswer(answers, ref.model)] : answers
      }
      const typing = (await select()).filter(({ status }) => status === 'typing')
      await Promise.all(typing.map(({ run_id }) => runs.waitForEnd(run_id, signal)))
      return Promise.all((await select()).map(sessions.present))
    },

    /** Returns the route and the cost of a turn's answer. */
    async explain(userId: string, ref: AnswerRef): Promise<AnswerRoute> {
      const route = await runs.explain((await requireAnswer(userId, ref)).run_id)
      if (!route) throw new AppError('not_found')
      return route
    },

    /** Stops the answers of a turn, or a model's one; the text so far stays. */
    async cancel(userId: string, ref: AnswerRef): Promise<ChatMessage> {
      const answers = await requireAnswers(userId, ref.chat_id)
      const targets = ref.model ? [selectAnswer(answers, ref.model)] : answers
      const typing = targets.filter(({ status }) => status === 'typing')
      await Promise.all(typing.map(({ run_id }) => runs.cancel(run_id)))
      return sessions.present(await requireAnswer(userId, ref))
    },

    /** Reads a turn: its question, and its chosen answers. Throws AppError not_found. */
    async readTurn(userId: string, chatId: string): Promise<ChatMessage[]> {
      const turn = await listTurnMessages(db, userId, chatId)
      if (!turn.length) throw new AppError('not_found')
      const question = turn.filter(({ role }) => role === 'human')
      return Promise.all([...question, ...selectAnswers(turn)].map(sessions.present))
    },

    /**
     * Changes a chatbot's answer in a turn: its text, whether it is liked. `onChange` gets the earlier state in the same
     * transaction. Throws AppError not_found, turn_running.
     */
    changeAnswer: (
      userId: string,
      ref: TurnRef,
      change: AnswerChange,
      onChange: (tx: Db, before: { question: MessageRow; answer: MessageRow }) => Promise<void>,
    ): Promise<ChatMessage> =>
      db.transaction(async (tx) =>
        presentMessage(await changeAnswer(tx, userId, ref, change, (before) => onChange(tx, before))),
      ),

    /** Shows another version of a message and the messages that follow it. */
    chooseVersion: async (userId: string, id: string): Promise<ChatMessage> =>
      presentMessage(await chooseVersion(db, userId, id)),

    /** Stores a reader's opinion of an answer; null removes it. Throws AppError not_found. */
    async setFeedback(userId: string, id: string, feedback: Feedback | null): Promise<ChatMessage> {
      if (!(await updateFeedback(db, userId, id, feedback))) throw new AppError('not_found')
      return sessions.present((await findMessage(db, userId, id))!)
    },

    deleteTurn: (userId: string, chatId: string) => deleteTurn(db, userId, chatId),

    /** Suggests questions that could follow the last answer of the named session, or of the current one. */
    async getRelatedPrompts(
      visitor: Visitor,
      { model, ...ref }: SessionRef & { model: string },
    ): Promise<string[]> {
      const session = await sessions.find(visitor.user_id, ref)
      return session ? getRelatedPrompts(deps, visitor, { sess_id: session.id, model }) : []
    },

    mergeGuest: (tx: Db, guestId: string, userId: string) => moveSessions(tx, guestId, userId),
    indexOldMessages: () => indexOldMessages(db),
  }
}

/** Names of models whose readers replace the text by each new piece (specification section 4). */
const REPEATING_MODELS = /farui/i

/** A turn, and the model of one of several answers side by side. */
type AnswerRef = { chat_id: string; model?: string | null | undefined }

/** A new turn on the wire: an answer of each model. */
type CreatedTurn = { question: ChatMessage; chat_messages: ChatMessage[]; session: ChatSession }
