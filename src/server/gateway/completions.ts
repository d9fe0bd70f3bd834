import { completionRequest } from '#contract/gateway.ts'
import type { CompletionRequest } from '#contract/gateway.ts'
import { AppError } from '../core/app-error.ts'
import { idempotencyOf as readIdempotency } from '../core/idempotency.ts'
import type { Idempotency } from '../core/idempotency.ts'
import type { GatewayKey } from '../keys/keys.ts'
import type { Catalogue } from '../llm/catalogue.ts'
import type { ModelEntry } from '../llm/catalogue-schema.ts'
import { estimatePrompt } from '../llm/estimate.ts'
import { preferenceOf } from '../llm/routing/preference.ts'
import type { RunRequest } from '../runs/open.ts'
import type { Runs } from '../runs/runs.ts'
import { answerInStream, answerWhole } from './answer.ts'
import { readBody } from './body.ts'
import { headOf } from './completion.ts'
import type { Exchange } from './exchange.ts'
import { mayUse } from './models.ts'
import { promptOf } from './prompt.ts'
import type { Rates } from './rates.ts'
import type { Replays } from './replays.ts'
import type { Sorts } from './sorts.ts'
import type { Source } from './source.ts'

export type Parts = { runs: Runs; catalogue: Catalogue; replays: Replays; rates: Rates; sortOf: Sorts }

/** `POST /chat/completions`: holds, runs, settles, and only then says that the answer is whole. Throws AppError. */
export async function complete(parts: Parts, key: GatewayKey, exchange: Exchange): Promise<void> {
  const { runs, replays, rates } = parts
  const asked = await readBody(exchange.request, completionRequest)
  const request = await requestOf(parts, key, asked)
  const { messages } = request.prompt
  await rates.input(key, () => estimatePrompt(messages, request.model))
  const source = await sourceOf(parts, request, idempotencyOf(exchange, asked), exchange.gone)
  const answering = { runs, source, head: headOf(source.run_id, request.model), exchange }
  try {
    const { metered } = asked.stream
      ? await answerInStream(answering, asked.stream_options?.include_usage === true)
      : await answerWhole(answering)
    await rates.output(key, metered.tokens.output)
  } finally {
    if ('opened' in source) replays.forget(source.run_id)
  }
}

function usableModel(catalogue: Catalogue, key: GatewayKey, id: string): ModelEntry {
  const model = catalogue.model(id)
  if (!model || model.type !== 'chat' || !model.visible) throw new AppError('model_not_found')
  if (!mayUse(key, id)) throw new AppError('model_not_allowed')
  return model
}

/** Runs of the gateway have the key as their subject. Throws AppError. */
async function requestOf(
  { catalogue, sortOf }: Parts,
  key: GatewayKey,
  asked: CompletionRequest,
): Promise<RunRequest> {
  const { id: subject_id, user_id, budgets, strategy, provider_sort, auto_switch } = key
  const model = usableModel(catalogue, key, asked.model)
  const preference = preferenceOf(
    { provider_sort: asked.provider_sort ?? undefined, retries: asked.retries ?? undefined },
    { strategy, provider_sort, auto_switch },
    { provider_sort: await sortOf(user_id) },
  )
  const prompt = promptOf(asked, model)
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

function idempotencyOf({ request }: Exchange, asked: CompletionRequest): Idempotency | null {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string') return null
  const headers = { 'Idempotency-Key': key }
  return readIdempotency(new Request('http://gateway', { headers }), ['chat/completions', asked])
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
