import { AppError } from '../core/app-error.ts'
import { newId } from '../core/clock.ts'
import type { Db } from '../core/database.ts'
import { decisionOf, holding } from '../ledger/holds.ts'
import type { HoldRequest } from '../ledger/holds.ts'
import { affordableOutput, cost, costBound, FREE, inputOf } from '../ledger/prices.ts'
import type { Prices } from '../core/coins.ts'
import type { ChatRequest, PromptMessage } from '../llm/chat.ts'
import type { Llm } from '../llm/llm.ts'
import type { Offer } from '../llm/offers.ts'
import type { RoutePlan } from '../llm/routing/plan.ts'
import type { RoutePreference } from '../llm/routing/preference.ts'
import { estimateInput } from '../llm/estimate.ts'
import type { Work } from '../llm/works/work.ts'
import { storedPlan } from './explain.ts'
import type { RunNote } from './live-run.ts'
import { holdRuns } from './store.ts'
import type { RunRow } from './store.ts'

/** What a feature does between the hold and the first call of a platform. */
export type Preparation = {
  /** Tokens that it adds to the prompt at most: they are held too. */
  extra_tokens: number
  /** The messages to ask with. Rejects when it cannot go on, or with the reason of `signal`. */
  messages(run: {
    run_id: string
    signal: AbortSignal
    tell: (note: RunNote) => void
  }): Promise<PromptMessage[]>
}

type Asking = {
  user_id: string
  kind: string
  subject_id: string
  model: string
  preference: RoutePreference
  /** The house pays (turns of guests). */
  free: boolean
  /** Limits beside the balance: of an API key, of an organization. */
  budgets?: string[]
}
/** `max_tokens` is what is wanted at most; the balance may afford less. */
export type ChatRunRequest = Asking & { prompt: ChatRequest; prepare?: Preparation | undefined }
export type WorkRunRequest = Asking & { work: Work }
/** What a feature asks of the pipe: an answer to a prompt, or a work that is no chat. */
export type RunRequest = ChatRunRequest | WorkRunRequest

/** A run that is planned, but for which nothing is held yet. */
export type Planned = { request: RunRequest; run_id: string; plan: RoutePlan; input_tokens: number }
type Recorded<Request> = { row: RunRow; plan: RoutePlan; request: Request }
export type HeldChat = Recorded<ChatRunRequest> & { prompt: ChatRequest }
export type HeldWork = Recorded<WorkRunRequest> & { work: Work }
/** A run that is held and recorded in the caller's transaction. */
export type Held = HeldChat | HeldWork

/** Fewer output tokens than this are not worth starting. */
const LEAST_OUTPUT = 16
/** Tokenizers differ: the hold takes this much more input than was counted, in percent. */
const INPUT_MARGIN = 130

/** Plans a run's route. Throws AppError model_unavailable. */
export function planRun(llm: Llm, request: RunRequest): Planned {
  const plan = llm.plan(request.model, request.preference)
  if (!plan.offers.length) throw new AppError('model_unavailable')
  return {
    request,
    run_id: newId(),
    plan,
    input_tokens: inputTokens(request),
  }
}

/** Tokens that a run is given, before a platform has counted them. */
export const inputTokens = (request: RunRequest): number =>
  'work' in request ? request.work.counted.tokens : estimateInput(request.prompt, request.model)

/** What an offer asks of this run's payer. */
export const pricesFor = (request: Pick<RunRequest, 'free'>, offer: Offer): Prices =>
  request.free ? FREE : offer.prices

/**
 * Holds what the runs may cost and records them, in one statement; an AppError for each that cannot be paid, in order.
 */
export async function openAll(db: Db, planned: Planned[], host_id: string): Promise<(Held | AppError)[]> {
  const rows = planned.map((one) => ({ ...rowOf(one), plan: storedPlan(one.plan) }))
  const held = await holdRuns(db, { holds: holding(planned.map(holdOf)), runs: rows, host_id })
  const decisions = new Map(held.map((row) => [row.run_id, decisionOf(row)]))
  return planned.map((one) => {
    const decision = decisions.get(one.run_id)!
    return decision.refusal === null ? heldOf(one, decision.granted) : new AppError(decision.refusal)
  })
}

/** Whichever of the planned platforms answers in the end, its bill fits what is held. */
function holdOf({ request, run_id, plan, input_tokens }: Planned): HoldRequest {
  const dearest = (priced: (prices: Prices) => bigint): bigint =>
    plan.offers
      .map((offer) => priced(pricesFor(request, offer)))
      .reduce((most, one) => (one > most ? one : most))
  const { user_id, budgets = [] } = request
  if ('work' in request) {
    // All or nothing: there is no smaller picture for a smaller balance.
    return { run_id, user_id, budgets, amount: dearest((prices) => mostOf(request.work, prices)) }
  }
  const input = heldInput(input_tokens, request)
  const { max_tokens } = request.prompt
  const bound = (output: number): bigint => dearest((prices) => costBound(input, output, prices))
  const least = bound(Math.min(LEAST_OUTPUT, max_tokens))
  return { run_id, user_id, budgets, amount: bound(max_tokens), least }
}

const mostOf = ({ most }: Work, prices: Prices): bigint => cost(inputOf(most.tokens), prices, most)

function rowOf({ request, run_id, plan, input_tokens }: Planned): RunRow {
  const { user_id, kind, subject_id, model } = request
  const offer = plan.offers[0]!
  const prices = pricesFor(request, offer)
  return { id: run_id, user_id, kind, subject_id, model, platform: offer.platform, input_tokens, prices }
}

function heldOf(planned: Planned, granted: bigint): Held {
  const { request, plan, input_tokens } = planned
  const row = rowOf(planned)
  if ('work' in request) return { row, plan, request, work: request.work }
  const { prompt } = request
  const affordable = plan.offers.map((offer) =>
    affordableOutput(granted, heldInput(input_tokens, request), prompt.max_tokens, pricesFor(request, offer)),
  )
  return { row, plan, request, prompt: { ...prompt, max_tokens: Math.max(1, Math.min(...affordable)) } }
}

const heldInput = (input_tokens: number, { prepare }: ChatRunRequest): number =>
  Math.ceil(((input_tokens + (prepare?.extra_tokens ?? 0)) * INPUT_MARGIN) / 100)
