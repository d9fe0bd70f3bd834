import { AppError } from '../core/app-error.ts'
import { idempotencyOf as readIdempotency } from '../core/idempotency.ts'
import type { Idempotency } from '../core/idempotency.ts'
import type { GatewayKey } from '../keys/keys.ts'
import type { Catalogue } from '../llm/catalogue.ts'
import type { ModelEntry } from '../llm/catalogue-schema.ts'
import { textOf } from '../llm/chat.ts'
import type { ChatRequest } from '../llm/chat.ts'
import { estimatePrompt } from '../llm/estimate.ts'
import { preferenceOf } from '../llm/routing/preference.ts'
import type { RoutePreference } from '../llm/routing/preference.ts'
import type { RunRequest } from '../runs/open.ts'
import type { Runs } from '../runs/runs.ts'
import { answerInStream, answerWhole } from './answer.ts'
import type { Exchange } from './exchange.ts'
import { mayUse } from './models.ts'
import type { Rates } from './rates.ts'
import type { Replays } from './replays.ts'
import type { Shape } from './shape.ts'
import type { Sorts } from './sorts.ts'
import type { Source } from './source.ts'

/** No tokenizer makes a token of more characters than this on the average; what has more cannot fit the model. */
const CHARS_PER_TOKEN = 8

export type Parts = { runs: Runs; catalogue: Catalogue; replays: Replays; rates: Rates; sortOf: Sorts }

/** A call as its door understood it. */
export type Asked = {
  /** The door and all that was sent: what an Idempotency-Key stands for. */
  sent: [door: string, body: object]
  model: string
  /** Ours, of every door: see the contract. */
  wishes: { [Wish in 'provider_sort' | 'retries']?: RoutePreference[Wish] | null | undefined }
  stream: boolean
  /** Throws AppError. */
  promptOf: (model: ModelEntry) => ChatRequest
  shapeOf: (run_id: string, request: RunRequest) => Shape
}

/** Answers a call of any door: holds, runs, settles, and only then says that the answer is whole. Throws AppError. */
export async function answerCall(
  parts: Parts,
  key: GatewayKey,
  exchange: Exchange,
  asked: Asked,
): Promise<void> {
  const { runs, replays, rates } = parts
  const request = await requestOf(parts, key, asked)
  const { messages } = request.prompt
  await rates.input(key, () => estimatePrompt(messages, request.model))
  const source = await sourceOf(parts, request, idempotencyOf(exchange, asked), exchange.gone)
  const answering = { runs, source, shape: asked.shapeOf(source.run_id, request), exchange }
  try {
    const { metered } = await (asked.stream ? answerInStream(answering) : answerWhole(answering))
    await rates.output(key, metered.tokens.output)
  } finally {
    if ('opened' in source) replays.forget(source.run_id)
  }
}

/** A model that answers chats, and that the key may use. Throws AppError. */
export function usableModel(catalogue: Catalogue, key: GatewayKey, id: string): ModelEntry {
  const model = catalogue.model(id)
  if (!model || model.type !== 'chat' || !model.visible) throw new AppError('model_not_found')
  if (!mayUse(key, id)) throw new AppError('model_not_allowed')
  return model
}

/** Runs of the gateway have the key as their subject. Throws AppError. */
async function requestOf(
  { catalogue, sortOf }: Parts,
  key: GatewayKey,
  { model: id, wishes, promptOf }: Asked,
): Promise<RunRequest> {
  const { id: subject_id, user_id, budgets, strategy, provider_sort, auto_switch } = key
  const model = usableModel(catalogue, key, id)
  const preference = preferenceOf(
    { provider_sort: wishes.provider_sort ?? undefined, retries: wishes.retries ?? undefined },
    { strategy, provider_sort, auto_switch },
    { provider_sort: await sortOf(user_id) },
  )
  const prompt = promptOf(model)
  throwUnlessFits(prompt, model)
  return {
    user_id,
    kind: 'gateway',
    subject_id,
    model: model.id,
    prompt,
    preference,
    free: false,
    budgets,
  }
}

function throwUnlessFits({ messages }: ChatRequest, { context_window }: ModelEntry): void {
  const chars = messages.reduce((sum, { content }) => sum + textOf(content).length, 0)
  if (chars > context_window * CHARS_PER_TOKEN) throw new AppError('context_length_exceeded')
}

function idempotencyOf({ request }: Exchange, { sent }: Asked): Idempotency | null {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string') return null
  const headers = { 'Idempotency-Key': key }
  return readIdempotency(new Request('http://gateway', { headers }), sent)
}

async function sourceOf(
  { runs, replays }: Parts,
  request: RunRequest,
  idempotency: Idempotency | null,
  gone: AbortSignal,
): Promise<Source> {
  if (!idempotency) {
    const opened = await runs.openGrouped(request)
    return { run_id: opened.run_id, opened, keyed: false }
  }
  const keyed = await replays.open(runs, request, idempotency)
  if ('opened' in keyed) return { run_id: keyed.opened.run_id, ...keyed, keyed: true }
  const { earlier: run_id } = keyed
  const kept = () => replays.answer(runs, { user_id: request.user_id, run_id, idempotency, gone })
  return { run_id, kept }
}
