import { AppError } from '../core/app-error.ts'
import { newId } from '../core/clock.ts'
import type { Db } from '../core/database.ts'
import { holdAll } from '../ledger/holds.ts'
import { affordableOutput, costBound, FREE } from '../ledger/prices.ts'
import type { Prices } from '../core/coins.ts'
import type { ChatRequest } from '../llm/chat.ts'
import type { Llm } from '../llm/llm.ts'
import type { Offer } from '../llm/offers.ts'
import type { RoutePlan } from '../llm/routing/plan.ts'
import type { RoutePreference } from '../llm/routing/preference.ts'
import { estimatePrompt } from '../llm/estimate.ts'
import { storedPlan } from './explain.ts'
import { insertRuns } from './store.ts'
import type { RunRow } from './store.ts'

/** What a feature asks of the pipe. */
export type RunRequest = {
  user_id: string
  kind: string
  subject_id: string
  model: string
  /** `max_tokens` is what is wanted at most; the balance may afford less. */
  prompt: ChatRequest
  preference: RoutePreference
  /** The house pays (turns of guests). */
  free: boolean
  /** Limits beside the balance: of an API key, of an organization. */
  budgets?: string[]
}

/** A run that is planned, but for which nothing is held yet. */
export type Planned = { request: RunRequest; run_id: string; plan: RoutePlan; input_tokens: number }
/** A run that is held and recorded in the caller's transaction. */
export type Held = { row: RunRow; plan: RoutePlan; request: RunRequest; prompt: ChatRequest }

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
    input_tokens: estimatePrompt(request.prompt.messages, request.model),
  }
}

/** What an offer asks of this run's payer. */
export const pricesFor = (request: RunRequest, offer: Offer): Prices => (request.free ? FREE : offer.prices)

/** Holds what the runs may cost, and records them; an AppError for each that cannot be paid, in order. */
export async function openAll(tx: Db, planned: Planned[], host_id: string): Promise<(Held | AppError)[]> {
  const decisions = await holdAll(tx, planned.map(holdOf))
  const opened = decisions.map((decision, nth) =>
    decision.refusal === null ? heldOf(planned[nth]!, decision.granted) : new AppError(decision.refusal),
  )
  const held = opened.filter((one): one is Held => !(one instanceof AppError))
  if (held.length) {
    const rows = held.map(({ row, plan }) => ({ ...row, plan: storedPlan(plan) }))
    await insertRuns(tx, rows, host_id)
  }
  return opened
}

/** Whichever of the planned platforms answers in the end, its bill fits what is held. */
function holdOf({ request, run_id, plan, input_tokens }: Planned) {
  const input = heldInput(input_tokens)
  const { max_tokens } = request.prompt
  const bound = (output: number): bigint =>
    plan.offers
      .map((offer) => costBound(input, output, pricesFor(request, offer)))
      .reduce((most, one) => (one > most ? one : most))
  const { user_id, budgets = [] } = request
  const least = bound(Math.min(LEAST_OUTPUT, max_tokens))
  return { run_id, user_id, budgets, amount: bound(max_tokens), least }
}

function heldOf({ request, run_id, plan, input_tokens }: Planned, granted: bigint): Held {
  const { user_id, kind, subject_id, model, prompt } = request
  const affordable = plan.offers.map((offer) =>
    affordableOutput(granted, heldInput(input_tokens), prompt.max_tokens, pricesFor(request, offer)),
  )
  const offer = plan.offers[0]!
  const prices = pricesFor(request, offer)
  const row = { id: run_id, user_id, kind, subject_id, model, platform: offer.platform, input_tokens, prices }
  return { row, plan, request, prompt: { ...prompt, max_tokens: Math.max(1, Math.min(...affordable)) } }
}

const heldInput = (input_tokens: number): number => Math.ceil((input_tokens * INPUT_MARGIN) / 100)
