import type { AnswerRoute, ChatMessage } from '#contract/chat.ts'
import { AppError } from '../core/app-error.ts'
import { toChinaDay } from '#server/core/dates.ts'
import type { Config } from '../core/config.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Visitor } from '../core/http.ts'
import type { Catalogue } from '#server/llm/llm.ts'
import type { RunKindHandler, SettledRunsHook, ChargedRun } from '#server/runs/settle.ts'
import type { Runs } from '../runs/runs.ts'
import type { WebSearch } from '#server/web-search/web-search.ts'
import type { Users } from '../users/users.ts'
import { createTurn } from './create-turn.ts'
import type { TurnContext, TurnInput } from './create-turn.ts'
import { createConversationCopy } from '#server/conversations/copy/conversation-copy.ts'
import { indexOldMessages } from '#server/conversations/search/search.ts'
import { presentMessage } from '#server/conversations/presentation.ts'
import { completeRelated, getRelatedPrompts } from '#server/conversations/related/related.ts'
import { createSessions } from '#server/conversations/sessions/sessions.ts'
import { moveSessions } from '#server/conversations/sessions/store.ts'
import * as store from '#server/conversations/store.ts'
import type { MessageRow } from '#server/conversations/store.ts'
import { resumeAnswerStream, parseLastEventId, replayAnswer } from '#server/conversations/attach.ts'
import type { AnswerStream } from '#server/conversations/attach.ts'
import { chooseVersion, deleteTurn } from '#server/conversations/turns/versions.ts'
import { completeAnswers, listTurnMessages } from '#server/conversations/turns/store.ts'
import type { AnswerUpdate } from '#server/conversations/turns/store.ts'

type Options = {
  db: Db
  runs: Runs
  catalogue: Catalogue
  users: Users
  search: WebSearch | null
  config: Config
}
export type Chat = ReturnType<typeof createChat>

/** What the ends of runs of each kind make of their messages. */
export const chatRunKinds: Record<string, RunKindHandler> = {
  chat: () => completeChatAnswers,
  related: () => completeRelated,
}

const completeChatAnswers: SettledRunsHook = (tx, charged_runs) =>
  completeAnswers(tx, charged_runs.map(toAnswerUpdate))

/** What the end of a run says of its answer. What was not charged has no figures. */
function toAnswerUpdate(settled: ChargedRun): AnswerUpdate {
  const { run_id, outcome, said, produced, metered, platform, charged, timing } = settled
  return {
    run_id,
    text: outcome.text,
    reasoning: said.reasoning,
    reasoning_ms: timing.reasoning_ms,
    status: outcome.state,
    error_code: outcome.code,
    finish: said.finish,
    platform: produced ? platform : null,
    first_text_ms: timing.first_text_ms,
    input_tokens: produced ? metered.tokens.input : 0,
    output_tokens: produced ? metered.tokens.output : 0,
    charged,
  }
}

/** The general chat: questions, their answers, and the sessions they belong to. */
export function createChat(options: Options) {
  const { db, runs, catalogue, users, search, config } = options
  const sessions = createSessions({ db, runs, catalogue, title_model: config.title_model })

  /** The answer that stands in a turn. A turn of somebody else reads like one that never was. */
  const requireAnswer = async (
    user_id: string,
    chat_id: string,
  ): Promise<MessageRow & { run_id: string }> => {
    const answer = (await listTurnMessages(db, user_id, chat_id)).findLast(({ role }) => role === 'ai')
    if (!answer?.run_id) throw new AppError('not_found')
    return { ...answer, run_id: answer.run_id }
  }

  return {
    sessions,
    copy: createConversationCopy(db),

    createTurn: (context: TurnContext, input: TurnInput) =>
      createTurn({ db, runs, catalogue, users, search, limits: config }, context, input),

    /** The run of a turn's answer and its events from where the reader stopped. */
    async attach(user_id: string, chat_id: string, last_event_id: string | null): Promise<AnswerStream> {
      const answer = await requireAnswer(user_id, chat_id)
      const { run_id, status } = answer
      const after = parseLastEventId(run_id, last_event_id)
      return {
        run_id,
        after,
        events: (signal) =>
          status === 'typing'
            ? resumeAnswerStream(answer, after, (from) => runs.watch(run_id, from, signal))
            : replayAnswer({ ...answer, status }, after),
      }
    },

    /** Waits until a turn's answer has ended, or the reader left. */
    async waitForAnswer(user_id: string, chat_id: string, signal: AbortSignal): Promise<ChatMessage> {
      const answer = await requireAnswer(user_id, chat_id)
      if (answer.status === 'typing') {
        for await (const event of runs.attach(answer.run_id, 0, signal)) if (event.type === 'end') break
      }
      return sessions.present(await requireAnswer(user_id, chat_id))
    },

    /** How a turn's answer was routed, and what it cost. */
    async explain(user_id: string, chat_id: string): Promise<AnswerRoute> {
      const route = await runs.explain((await requireAnswer(user_id, chat_id)).run_id)
      if (!route) throw new AppError('not_found')
      return route
    },

    /** Stops a turn's answer; what it said so far stays. */
    async cancel(user_id: string, chat_id: string): Promise<ChatMessage> {
      const answer = await requireAnswer(user_id, chat_id)
      if (answer.status === 'typing') await runs.cancel(answer.run_id)
      return sessions.present(await requireAnswer(user_id, chat_id))
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
      return session
        ? getRelatedPrompts({ db, runs, catalogue }, visitor, { sess_id: session.id, model })
        : []
    },

    mergeGuest: (tx: Db, guest_id: string, user_id: string) => moveSessions(tx, guest_id, user_id),
    async sweep(): Promise<void> {
      await store.sweepGuestTurns(db, toChinaDay(new Date()))
      await indexOldMessages(db)
    },
  }
}
