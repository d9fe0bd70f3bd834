import type { AnswerRoute, ChatMessage } from '#contract/chat.ts'
import { AppError } from '../core/app-error.ts'
import { dayInChina } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import type { Db } from '../core/database.ts'
import type { Visitor } from '../core/http.ts'
import type { Catalogue } from '../llm/catalogue.ts'
import type { Kind, OnEnd, Settled } from '../runs/finish.ts'
import type { Runs } from '../runs/runs.ts'
import type { Search } from '../search/search.ts'
import type { Users } from '../users/users.ts'
import { ask } from './ask.ts'
import type { Asker, Question } from './ask.ts'
import { openCopies } from './copies/copies.ts'
import { indexOldMessages } from './search/search.ts'
import { presentMessage } from './present.ts'
import { endRelated, relatedPrompts } from './related/related.ts'
import { openSessions } from './sessions.ts'
import { moveSessions } from './sessions/store.ts'
import * as store from './store.ts'
import type { MessageRow } from './store.ts'
import { onward, positionIn, replay } from './stream.ts'
import type { Followed } from './stream.ts'
import { chooseVersion, removeTurn } from './turns/change.ts'
import { endAnswers, turnMessages } from './turns/store.ts'
import type { AnswerEnd } from './turns/store.ts'

type Options = {
  db: Db
  runs: Runs
  catalogue: Catalogue
  users: Users
  search: Search | null
  config: Config
}
export type Chat = ReturnType<typeof openChat>

/** What the ends of runs of each kind make of their messages. */
export const chatKinds: Record<string, Kind> = {
  chat: () => endChat,
  related: () => endRelated,
}

const endChat: OnEnd = (tx, ended) => endAnswers(tx, ended.map(endOf))

/** What the end of a run says of its answer. What was not charged has no figures. */
function endOf(settled: Settled): AnswerEnd {
  const { run_id, outcome, said, produced, metered, platform, charged, times } = settled
  return {
    run_id,
    text: outcome.text,
    reasoning: said.reasoning,
    reasoning_ms: times.reasoning_ms,
    status: outcome.state,
    error_code: outcome.code,
    finish: said.finish,
    platform: produced ? platform : null,
    first_text_ms: times.first_text_ms,
    input_tokens: produced ? metered.tokens.input : 0,
    output_tokens: produced ? metered.tokens.output : 0,
    charged,
  }
}

/** The general chat: questions, their answers, and the sessions they belong to. */
export function openChat(options: Options) {
  const { db, runs, catalogue, users, search, config } = options
  const sessions = openSessions({ db, runs, catalogue, title_model: config.title_model })

  /** The answer that stands in a turn. A turn of somebody else reads like one that never was. */
  const answerOf = async (user_id: string, chat_id: string): Promise<MessageRow & { run_id: string }> => {
    const answer = (await turnMessages(db, user_id, chat_id)).findLast(({ role }) => role === 'ai')
    if (!answer?.run_id) throw new AppError('not_found')
    return { ...answer, run_id: answer.run_id }
  }

  return {
    sessions,
    copies: openCopies(db),

    ask: (asker: Asker, question: Question) =>
      ask({ db, runs, catalogue, users, search, limits: config }, asker, question),

    /** The run of a turn's answer and its events from where the reader stopped. */
    async follow(user_id: string, chat_id: string, last_event_id: string | null): Promise<Followed> {
      const answer = await answerOf(user_id, chat_id)
      const { run_id, status } = answer
      const after = positionIn(run_id, last_event_id)
      return {
        run_id,
        after,
        events: (signal) =>
          status === 'typing'
            ? onward(answer, after, (from) => runs.watch(run_id, from, signal))
            : replay({ ...answer, status }, after),
      }
    },

    /** Waits until a turn's answer has ended, or the reader left. */
    async completed(user_id: string, chat_id: string, signal: AbortSignal): Promise<ChatMessage> {
      const answer = await answerOf(user_id, chat_id)
      if (answer.status === 'typing') {
        for await (const event of runs.attach(answer.run_id, 0, signal)) if (event.type === 'end') break
      }
      return sessions.present(await answerOf(user_id, chat_id))
    },

    /** How a turn's answer was routed, and what it cost. */
    async explain(user_id: string, chat_id: string): Promise<AnswerRoute> {
      const route = await runs.explain((await answerOf(user_id, chat_id)).run_id)
      if (!route) throw new AppError('not_found')
      return route
    },

    /** Stops a turn's answer; what it said so far stays. */
    async cancel(user_id: string, chat_id: string): Promise<ChatMessage> {
      const answer = await answerOf(user_id, chat_id)
      if (answer.status === 'typing') await runs.cancel(answer.run_id)
      return sessions.present(await answerOf(user_id, chat_id))
    },

    /** Shows another version of a message and what follows it. */
    choose: async (user_id: string, id: string): Promise<ChatMessage> =>
      presentMessage(await chooseVersion(db, user_id, id)),

    removeTurn: (user_id: string, chat_id: string) => removeTurn(db, user_id, chat_id),

    /** Questions that could follow the last answer of the named session, or of the current one. */
    async related(
      visitor: Visitor,
      { chatbot, sess_id, model }: { chatbot: string; sess_id?: string | null | undefined; model: string },
    ): Promise<string[]> {
      const session = await sessions.find(visitor.user_id, chatbot, sess_id ?? undefined)
      return session ? relatedPrompts({ db, runs, catalogue }, visitor, { sess_id: session.id, model }) : []
    },

    adoptGuest: (tx: Db, guest_id: string, user_id: string) => moveSessions(tx, guest_id, user_id),
    async sweep(): Promise<void> {
      await store.sweepGuestTurns(db, dayInChina(new Date()))
      await indexOldMessages(db)
    },
  }
}
