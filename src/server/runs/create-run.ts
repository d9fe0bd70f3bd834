import { AppError } from '#server/core/app-error.ts'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import {
  calculateAffordableOutput,
  calculateCost,
  calculateMaxCost,
  FREE_PRICES,
  getFreeFunds,
  takeGiven,
  toHoldDecision,
  toOperationTokens,
} from '#server/ledger/ledger.ts'
import type { Given, HoldRequest, MaxUsage } from '#server/ledger/ledger.ts'
import { toCoins, toCoinsNeeded } from '#server/core/coins.ts'
import { toChinaDay } from '#contract/dates/dates.ts'
import type { LimitAlerts } from '#server/core/limits/alerts.ts'
import { someString } from '#server/core/json.ts'
import type { Prices } from '#server/core/prices.ts'
import { estimateInput } from '#server/llm/llm.ts'
import type {
  ChatRequest,
  ContentPart,
  PromptMessage,
  Llm,
  Offer,
  RoutePlan,
  RoutePreference,
  Operation,
} from '#server/llm/llm.ts'
import type { OutputGuard } from './output-guard.ts'
import type { RunNote, RunResult } from './result.ts'
import { insertHeldRuns } from './store.ts'
import type { RunRow } from './store.ts'
import type { RunKind, StoredPlan } from './tables.ts'

/** A feature's work between the hold and the first request to a platform. */
export type PromptPreparation = {
  /** Most tokens that it adds to the prompt: they are held too. */
  reserved_tokens: number
  /** Makes the messages to send from those of the request. Rejects when it cannot go on, or with the reason of `signal`. */
  buildMessages(run: {
    run_id: string
    messages: PromptMessage[]
    signal: AbortSignal
    setNote: (note: RunNote) => void
  }): Promise<PromptMessage[]>
  /** Called when the prompt is not needed again (the answer has begun, or the run has ended), perhaps several times. */
  release?: (() => void) | undefined
  /** Makes a note of the whole text for the readers and the feature's hook; null for none. */
  finish?: ((text: string) => RunNote | null) | undefined
}

/** The user who asks, the account that pays, and the budgets (of an API key, of a member) that limit it too. */
export type Payer = { user_id: string; account_id: string; budgets: string[] }
type BaseRunRequest = Payer & {
  kind: RunKind
  subject_id: string
  model: string
  preference: RoutePreference
  /** The operator pays (guests' questions, titles), within the sum that it gives a day. */
  free: boolean
}
/** `max_tokens` is the most wanted; the balance may afford less. */
export type ChatRunRequest = BaseRunRequest & {
  prompt: ChatRequest
  prepare?: PromptPreparation | undefined
  /** Makes a guard that reads the output before anybody else, given the messages that were sent; null for none. */
  createGuard?: ((messages: PromptMessage[]) => OutputGuard | null) | undefined
  /** Called with the result in the transaction that settles the run, after the hook of its kind; not if this process has died. */
  onSettled?: ((tx: Db, result: RunResult) => Promise<void>) | undefined
}
type OperationRunRequest = BaseRunRequest & { operation: Operation }
/** A feature's request for a run: a prompt to be answered, or an operation other than a chat. */
export type RunRequest = ChatRunRequest | OperationRunRequest

/** A planned run, for which nothing is held yet. */
export type PlannedRun = (
  | { request: ChatRunRequest; max_usage: MaxUsage }
  | { request: OperationRunRequest; max_usage: null }
) & {
  run_id: string
  plan: RoutePlan
  input_tokens: number
  hold: HoldRequest
  /** The most that the run costs the operator where it pays; else null. */
  given_coins: Given | null
}
type HeldRequest<Request> = {
  row: RunRow
  plan: RoutePlan
  request: Request
  given_coins: PlannedRun['given_coins']
}
export type HeldChatRun = HeldRequest<ChatRunRequest> & { prompt: ChatRequest }
export type HeldOperationRun = HeldRequest<OperationRunRequest> & { operation: Operation }
/** A run that is held and recorded in the caller's transaction. */
export type HeldRun = HeldChatRun | HeldOperationRun

/** Fewer output tokens than this are not worth starting. */
const MIN_OUTPUT_TOKENS = 16
/** Tokenizers differ: the hold is for this percentage of the input tokens counted. */
const INPUT_MARGIN_PERCENT = 130

/** Plans a run's route, with an answer that fits the model's window besides the prompt. Throws AppError model_unavailable. */
export function planRun(llm: Llm, runRequest: RunRequest): PlannedRun {
  const plan = llm.planRoute(
    runRequest.model,
    runRequest.preference,
    'prompt' in runRequest ? runRequest.prompt : undefined,
  )
  if (!plan.offers.length) throw new AppError('model_unavailable')
  const planned = { run_id: createId(), plan, input_tokens: estimateInputTokens(runRequest) }
  if ('operation' in runRequest) {
    const getHold = (free: boolean): HoldRequest => toOperationHold({ ...runRequest, free }, planned)
    const givenCoins = runRequest.free ? toGiven(getHold(false)) : null
    return {
      ...planned,
      request: runRequest,
      max_usage: null,
      hold: getHold(runRequest.free),
      given_coins: givenCoins,
    }
  }
  const { model, prompt, prepare } = runRequest
  const input = planned.input_tokens + (prepare?.reserved_tokens ?? 0)
  const maxTokens = llm.limitAnswer(model, input, prompt.max_tokens)
  const request: ChatRunRequest = { ...runRequest, prompt: { ...prompt, max_tokens: maxTokens } }
  const maxUsage = toMaxUsage(request, planned)
  const getHold = (free: boolean): HoldRequest => toChatHold({ ...request, free }, planned, maxUsage)
  const givenCoins = request.free ? toGiven(getHold(false)) : null
  return { ...planned, request, max_usage: maxUsage, hold: getHold(request.free), given_coins: givenCoins }
}

const toGiven = ({ amount }: HoldRequest): Given => ({ day: toChinaDay(new Date()), amount })

/** Estimates the input tokens of a run, before a platform has counted them. */
export const estimateInputTokens = (request: RunRequest): number =>
  'operation' in request ? request.operation.counted.tokens : estimateInput(request.prompt, request.model)

/** Returns the prices of an offer for this run's payer. */
export const resolvePrices = (request: Pick<RunRequest, 'free'>, offer: Offer): Prices =>
  request.free ? FREE_PRICES : offer.prices

/**
 * Counts the most that the operator pays for runs. It comes last in a transaction: all transactions share the day's row. Throws
 * AppError guest_budget when the operator gives nothing more today.
 */
export async function countGiven(
  db: Db,
  planned: PlannedRun[],
  { max_given, alert }: { max_given: bigint; alert: LimitAlerts },
): Promise<void> {
  const givenCoins = planned.flatMap((one) => one.given_coins ?? [])
  const amount = givenCoins.reduce((total, one) => total + one.amount, 0n)
  if (amount === 0n) return
  const sum = await takeGiven(db, { day: givenCoins[0]!.day, amount }, max_given)
  alert('given coins', toCoins(sum ?? max_given), toCoins(max_given))
  if (sum === null) throw new AppError('guest_budget')
}

/** Holds the most that runs may cost and records them, in one statement; an AppError for each that cannot be paid. */
export async function createHeldRuns(
  db: Db,
  planned: PlannedRun[],
  hostId: string,
): Promise<(HeldRun | AppError)[]> {
  const runs = planned.map((one) => ({
    row: toRunRow(one),
    plan: toStoredPlan(one.plan),
    hold: one.hold,
  }))
  const heldRows = await insertHeldRuns(db, { runs, host_id: hostId })
  const decisions = new Map(heldRows.map((row) => [row.id, toHoldDecision(row)]))
  return planned.map((one) => {
    const decision = decisions.get(one.run_id)!
    return decision.refusal === null ? toHeldRun(one, decision.granted) : new AppError(decision.refusal)
  })
}

/** Returns the unused part of the sum counted for a run that the operator pays for, once the run has ended. */
export function findUnusedGiven(
  { plan, given_coins }: HeldRun,
  { platform, billable, metered }: RunResult,
): Given | null {
  if (!given_coins) return null
  const offer = plan.offers.find((one) => one.platform === platform)
  const { tokens, ...units } = metered
  const cost = billable && offer ? calculateCost(tokens, offer.prices, units) : 0n
  return cost < given_coins.amount ? { day: given_coins.day, amount: given_coins.amount - cost } : null
}

/** Requires a run's hold in full: its answer is not cut to what the balance affords. */
export const holdInFull = (planned: PlannedRun): PlannedRun => ({
  ...planned,
  hold: { ...planned.hold, min_amount: planned.hold.amount },
})

/**
 * Adds to a refusal for want of coins how many the runs need at least together and how many their account has; returns others
 * unchanged. `outcomes`: those of the same transaction, which is about to be rolled back.
 */
export async function explainRefusal(
  db: Db,
  planned: PlannedRun[],
  outcomes: (HeldRun | AppError)[],
  refusal: AppError,
): Promise<AppError> {
  if (refusal.code !== 'insufficient_balance') return refusal
  const sum = (amounts: bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
  const granted = planned.filter((_, index) => !(outcomes[index] instanceof AppError))
  const free = await getFreeFunds(db, planned[0]!.hold.account_id)
  const shortage = {
    needed: toCoinsNeeded(sum(planned.map(({ hold: { amount, min_amount = amount } }) => min_amount))),
    available: toCoins(free + sum(granted.map(({ hold }) => hold.amount))),
    input_tokens: planned.reduce((total, { input_tokens }) => total + input_tokens, 0),
  }
  return new AppError(refusal.code, { shortage })
}

/** Tokens (the input includes the most that its preparation adds), and micro-coins. */
export type RunEstimate = {
  input_tokens: number
  output_tokens: number
  /** On the first platform of the route. */
  amount: bigint
  /** The amount held: the longest answer, on the most expensive platform. */
  max_amount: bigint
}

/** Estimates the cost of a run with an answer of so many tokens. Throws AppError model_unavailable. */
export function estimateRun(llm: Llm, request: ChatRunRequest, expected: number): RunEstimate {
  const { plan, input_tokens, hold } = planRun(llm, request)
  const outputTokens = Math.min(expected, request.prompt.max_tokens)
  const input = input_tokens + (request.prepare?.reserved_tokens ?? 0)
  const tokens = { input, output: outputTokens, cached: 0, cache_write: 0, reasoning: 0 }
  const amount = calculateCost(tokens, resolvePrices(request, plan.offers[0]!))
  return { input_tokens: input, output_tokens: outputTokens, amount, max_amount: hold.amount }
}

type Planned = Pick<PlannedRun, 'run_id' | 'plan' | 'input_tokens'>

/** Returns the highest cost over the planned platforms: whichever of them answers, its bill fits the hold. */
function getMaxCost(request: RunRequest, { offers }: RoutePlan, price: (prices: Prices) => bigint): bigint {
  let max = 0n
  for (const offer of offers) {
    const cost = price(resolvePrices(request, offer))
    if (cost > max) max = cost
  }
  return max
}

/** All or nothing: a smaller balance buys no smaller picture. */
function toOperationHold(request: OperationRunRequest, { run_id: id, plan }: Planned): HoldRequest {
  const { account_id, budgets, operation } = request
  const amount = getMaxCost(request, plan, (prices) => getMaxOperationCost(operation, prices))
  return { id, account_id, budgets, amount }
}

function toChatHold(request: ChatRunRequest, { run_id: id, plan }: Planned, maxUsage: MaxUsage): HoldRequest {
  const { account_id, budgets, prompt } = request
  const { max_tokens, n = 1 } = prompt
  const getCost = (usage: MaxUsage): bigint =>
    getMaxCost(request, plan, (prices) => calculateMaxCost(usage, prices))
  const minAmount = getCost({ ...maxUsage, output: Math.min(MIN_OUTPUT_TOKENS, max_tokens) * n })
  return { id, account_id, budgets, amount: getCost(maxUsage), min_amount: minAmount }
}

const getMaxOperationCost = ({ max }: Operation, prices: Prices): bigint =>
  calculateCost(toOperationTokens(max.tokens, max.picture_tokens), prices, max)

function toRunRow({ request, run_id, plan, input_tokens }: PlannedRun): RunRow {
  const { user_id, account_id, kind, subject_id, model } = request
  const offer = plan.offers[0]!
  const prices = resolvePrices(request, offer)
  return {
    id: run_id,
    user_id,
    account_id,
    kind,
    subject_id,
    model,
    platform: offer.platform,
    input_tokens,
    prices,
  }
}

function toHeldRun(planned: PlannedRun, granted: bigint): HeldRun {
  const { plan, hold, given_coins } = planned
  const row = toRunRow(planned)
  if (!planned.max_usage) {
    const { request } = planned
    return { row, plan, request, given_coins, operation: request.operation }
  }
  const { request, max_usage } = planned
  const { prompt } = request
  if (granted >= hold.amount) return { row, plan, request, given_coins, prompt }
  const affordable = plan.offers.map((offer) =>
    calculateAffordableOutput(granted, max_usage, resolvePrices(request, offer)),
  )
  const maxTokens = Math.max(1, Math.floor(Math.min(...affordable) / (prompt.n ?? 1)))
  return { row, plan, request, given_coins, prompt: { ...prompt, max_tokens: maxTokens } }
}

/** Returns the most tokens that a prompt may use: its longest answers, after more input than estimated. */
function toMaxUsage({ prompt, prepare }: ChatRunRequest, { plan, input_tokens }: Planned): MaxUsage {
  const { messages, max_tokens, n = 1, provider_options } = prompt
  const input = ((input_tokens + (prepare?.reserved_tokens ?? 0)) * INPUT_MARGIN_PERCENT) / 100
  const hasPart = (...types: ContentPart['type'][]): boolean =>
    messages.some(
      ({ content }) => typeof content !== 'string' && content.some(({ type }) => types.includes(type)),
    )
  return {
    input: Math.ceil(input),
    output: max_tokens * n,
    has_audio: hasPart('audio'),
    has_images: hasPart('image', 'file'),
    // Other dialects do not report it.
    has_hour_cache:
      plan.offers.some(({ dialect }) => dialect === 'anthropic') &&
      someString([messages, provider_options?.anthropic], (text) => text === '1h'),
  }
}

const toStoredPlan = ({ preference, candidates }: RoutePlan): StoredPlan => ({
  strategy: preference.strategy,
  provider_sort: preference.provider_sort,
  candidates: candidates.map(({ platform, state, reason, price, latency_ms, throughput, uptime }) => ({
    platform,
    state,
    reason,
    price,
    latency_ms,
    throughput,
    uptime,
  })),
})
