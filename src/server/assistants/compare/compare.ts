import type { ChatMessage } from '#contract/chat.ts'
import { COMPARE, getComparedSession } from '#contract/chatbot.ts'
import { comparisonQuestion } from '#contract/questions/questions.ts'
import type { ComparisonQuestion } from '#contract/questions/questions.ts'
import { NONE, TIE } from '#contract/compare-limits.ts'
import type { QuestionKind } from '#contract/compare-limits.ts'
import type {
  Column,
  CompareEstimate,
  Comparison,
  MessageGroup,
  Score,
  Vote,
} from '#contract/compare/compare.ts'
import { AppError } from '#server/core/app-error.ts'
import { toCoinsNeeded, toExactCoins } from '#server/core/coins.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Visitor } from '#server/core/http.ts'
import type { Conversations, TurnContext } from '#server/conversations/conversations.ts'
import { getFreeFunds } from '#server/ledger/ledger.ts'
import { requireModelAccess } from '#server/llm/llm.ts'
import type { Catalogue } from '#server/llm/llm.ts'
import { putColumn } from './columns.ts'
import type { ColumnInput } from './columns.ts'
import { classifyQuestion } from './kind.ts'
import { computeScores, countKinds } from './scoreboard.ts'
import * as store from './store.ts'
import type { ComparisonState } from './store.ts'

/** Expected output tokens of a model from which the person has no answer yet. */
const EXPECTED_TOKENS = 500

type Options = { db: Db; conversations: Conversations; catalogue: Catalogue }
type EstimateBody = Pick<ComparisonQuestion, 'chatbot' | 'prompt' | 'models' | 'block' | 'tools'>
type Session = NonNullable<Awaited<ReturnType<Conversations['sessions']['find']>>>

export type Compare = ReturnType<typeof createCompare>

/** Comparisons: the columns, votes and scoreboard of conversations of the channel `compare`. */
export function createCompare({ db, conversations, catalogue }: Options) {
  const { sessions } = conversations

  /** Null if none is named and there is none. Throws AppError not_found. */
  const find = (userId: string, chatbot: string): Promise<Session | null> =>
    sessions.find(userId, { chatbot: COMPARE, sess_id: getComparedSession(chatbot) })

  const present = async (session: Session | null, state: ComparisonState): Promise<Comparison> => ({
    session: session && (await sessions.presentSession(session)),
    models: state.models,
    blind: state.blind,
  })

  /** Changes a comparison; a new one if none is named and there is none. */
  const change = async (
    userId: string,
    chatbot: string,
    getChanges: (state: ComparisonState) => Partial<ComparisonState>,
  ): Promise<Comparison> => {
    const changed = await db.transaction(async (tx) => {
      const ref = { chatbot: COMPARE, sess_id: getComparedSession(chatbot) }
      const session = await sessions.lockOrCreate(tx, userId, ref)
      const changes = getChanges(await store.findComparison(tx, session.id))
      return { session, state: await store.saveComparison(tx, session.id, changes) }
    })
    return present(changed.session, changed.state)
  }

  /** The same, but only for an existing one. */
  const changeExisting: typeof change = async (userId, chatbot, getChanges) =>
    (await find(userId, chatbot)) ? change(userId, chatbot, getChanges) : NO_COMPARISON

  return {
    async messages(
      userId: string,
      { chatbot, before, size }: { chatbot: string; before?: string | undefined; size: number },
    ) {
      const session = await find(userId, chatbot)
      if (!session) return EMPTY
      const state = await store.findComparison(db, session.id)
      const { messages, has_more } = await sessions.turns(session.id, { before, size })
      const chatIds = [...new Set(messages.map(({ chat_id }) => chat_id))]
      return {
        ...(await present(session, state)),
        groups: groupByModel(state.models, messages),
        votes: await store.listVotes(db, userId, chatIds),
        has_more,
      }
    },

    /** Returns the number of deleted messages. */
    async clear(userId: string, chatbot: string): Promise<number> {
      const session = await find(userId, chatbot)
      return session ? sessions.clear(userId, { sess_id: session.id }) : 0
    },

    async saveModel({ user_id, guest }: Visitor, chatbot: string, column: ColumnInput): Promise<Comparison> {
      const { id } = requireModelAccess(catalogue, column.model, { type: 'chat', guest })
      return change(user_id, chatbot, ({ models }) => ({
        models: putColumn(models, { ...column, model: id }),
      }))
    },

    removeModel: (userId: string, chatbot: string, model: string): Promise<Comparison> =>
      changeExisting(userId, chatbot, ({ models }) => ({
        models: models.filter((column) => column.model !== model),
      })),

    clearModels: (userId: string, chatbot: string): Promise<Comparison> =>
      changeExisting(userId, chatbot, () => ({ models: [] })),

    setBlind: (userId: string, chatbot: string, blind: boolean): Promise<Comparison> =>
      change(userId, chatbot, () => ({ blind })),

    /** Throws AppError as a question does, except for want of coins, which `missing` reports. */
    async estimate(context: Omit<TurnContext, 'idempotency'>, body: EstimateBody): Promise<CompareEstimate> {
      const { user_id, account_id, guest } = context.visitor
      const { chatbot, prompt, block, tools } = body
      const session = await find(user_id, chatbot)
      const { models: columns } = session ? await store.findComparison(db, session.id) : { models: [] }
      const modelIds = [...new Set(body.models ?? columns.map(({ model }) => model))]
      if (!modelIds.length) throw new AppError('compare_empty')
      const average = await store.getAverageOutputs(db, user_id, modelIds)
      const lanes = modelIds.map((model) => ({
        model,
        settings: columns.find((column) => column.model === model)?.settings ?? null,
        output_tokens: average.get(model) ?? EXPECTED_TOKENS,
      }))
      const input = comparisonQuestion.parse({ chatbot: COMPARE, prompt, block, tools })
      const estimates = await conversations.estimate(
        { ...context, idempotency: null },
        { input, session, lanes },
      )
      const sum = (amounts: bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
      const maxTotal = sum(estimates.map(({ max_amount }) => max_amount))
      const missingAmount = guest ? 0n : maxTotal - (await getFreeFunds(db, account_id))
      return {
        models: estimates.map(({ amount, max_amount, ...tokens }, index) => ({
          model: modelIds[index]!,
          ...tokens,
          amount: toExactCoins(amount),
          max_amount: toExactCoins(max_amount),
        })),
        total: toExactCoins(sum(estimates.map(({ amount }) => amount))),
        max_total: toExactCoins(maxTotal),
        missing: missingAmount > 0n ? toCoinsNeeded(missingAmount) : 0,
      }
    },

    /** Stores a person's vote on a turn, replacing an earlier one. Throws AppError not_found, vote_unready. */
    async vote(
      userId: string,
      { chat_id, winner, kind }: { chat_id: string; winner: string; kind?: QuestionKind | null | undefined },
    ): Promise<Vote> {
      const [question, ...answers] = await conversations.readTurn(userId, chat_id)
      await sessions.find(userId, { chatbot: COMPARE, sess_id: question!.sess_id })
      const doneAnswers = answers.filter(({ role, status }) => role === 'ai' && status === 'done')
      const isChoice = winner === TIE || winner === NONE || doneAnswers.some(({ model }) => model === winner)
      if (doneAnswers.length < 2 || !isChoice) throw new AppError('vote_unready')
      const vote = { chat_id, winner, kind: kind ?? classifyQuestion(question!) }
      await store.saveVote(db, {
        ...vote,
        user_id: userId,
        sess_id: question!.sess_id,
        answers: doneAnswers.map(toVotedAnswer),
      })
      return vote
    },

    async scoreboard(
      userId: string,
      { days, kind }: { days?: number | undefined; kind?: QuestionKind | 'unknown' | undefined },
    ): Promise<{ scores: Score[]; kinds: { kind: QuestionKind; votes: number }[] }> {
      const votes = await store.listAllVotes(db, userId, days)
      const counted = kind ? votes.filter((vote) => vote.kind === kind) : votes
      return { scores: computeScores(counted), kinds: countKinds(votes) }
    },

    mergeGuest: (tx: Db, guestId: string, userId: string) => store.moveVotes(tx, guestId, userId),
  }
}

const NO_COMPARISON: Comparison = { session: null, models: [], blind: false }
/** The answer where there is no comparison. */
export const EMPTY = { ...NO_COMPARISON, groups: [], votes: [], has_more: false }

/** Groups messages by model: the questions that it was asked, each with its answer. */
function groupByModel(columns: Column[], messages: ChatMessage[]): MessageGroup[] {
  const answeredModels = messages.filter(({ role }) => role === 'ai').map(({ model }) => model)
  const models = new Set([...columns.map(({ model }) => model), ...answeredModels])
  const turns = Map.groupBy(messages, ({ chat_id }) => chat_id)
  return [...models].map((model) => ({
    model,
    messages: [...turns.values()].flatMap((turn) => {
      const answer = turn.find((message) => message.role === 'ai' && message.model === model)
      return answer ? [...turn.filter(({ role }) => role === 'human'), answer] : []
    }),
  }))
}

const toVotedAnswer = ({ model, figures }: ChatMessage) => ({
  model,
  first_text_ms: figures?.first_text_ms ?? null,
  duration_ms: figures?.duration_ms ?? null,
  output_tokens: figures?.output_tokens ?? 0,
  amount: figures?.amount ?? 0,
})
