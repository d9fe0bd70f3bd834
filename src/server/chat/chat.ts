import type { AnswerRoute, ChatMessage } from '#contract/chat.ts'
import { AppError } from '../core/app-error.ts'
import { dayInChina } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import type { Db } from '../core/database.ts'
import type { Catalogue } from '../llm/catalogue.ts'
import type { OnEnd } from '../runs/finish.ts'
import type { Runs } from '../runs/runs.ts'
import type { Search } from '../search/search.ts'
import type { Users } from '../users/users.ts'
import { ask } from './ask.ts'
import type { Asker, Question } from './ask.ts'
import { openCopies } from './copies/copies.ts'
import { indexOldMessages } from './search/search.ts'
import { openSessions } from './sessions.ts'
import { moveSessions } from './sessions/store.ts'
import * as store from './store.ts'
import type { MessageRow } from './store.ts'
import { positionIn, replay } from './stream.ts'

type Options = {
  db: Db
  runs: Runs
  catalogue: Catalogue
  users: Users
  search: Search | null
  config: Config
}
export type Chat = ReturnType<typeof openChat>

/** What the ends of runs of kind `chat` make of their messages. */
export const endAnswers: OnEnd = (tx, ended) =>
  store.endAnswers(
    tx,
    ended.map(({ run_id, outcome: { text, state, code } }) => ({
      run_id,
      text,
      status: state,
      error_code: code,
    })),
  )

/** The general chat: questions, their answers, and the sessions they belong to. */
export function openChat(options: Options) {
  const { db, runs, catalogue, users, search, config } = options
  const sessions = openSessions({ db, runs, catalogue, title_model: config.title_model })

  /** The answer that stands in a turn. A turn of somebody else reads like one that never was. */
  const answerOf = async (user_id: string, chat_id: string): Promise<MessageRow & { run_id: string }> => {
    const answer = (await store.turnMessages(db, user_id, chat_id)).findLast(({ role }) => role === 'ai')
    if (!answer?.run_id) throw new AppError('not_found')
    return { ...answer, run_id: answer.run_id }
  }

  return {
    sessions,
    copies: openCopies(db),

    ask: (asker: Asker, question: Question) =>
      ask({ db, runs, catalogue, users, search, limits: config }, asker, question),

    /** The run of a turn's answer and its events from where the reader stopped. */
    async follow(user_id: string, chat_id: string, last_event_id: string | null) {
      const answer = await answerOf(user_id, chat_id)
      const after = positionIn(answer.run_id, last_event_id)
      const { status } = answer
      return {
        run_id: answer.run_id,
        events: (signal: AbortSignal) =>
          status === 'typing'
            ? runs.attach(answer.run_id, after, signal)
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

    adoptGuest: (tx: Db, guest_id: string, user_id: string) => moveSessions(tx, guest_id, user_id),
    async sweep(): Promise<void> {
      await store.sweepGuestTurns(db, dayInChina(new Date()))
      await indexOldMessages(db)
    },
  }
}
