import { AppError } from '../core/app-error.ts'
import type { GatewayKey } from '../keys/keys.ts'
import type { ModelEntry } from '../llm/catalogue-schema.ts'
import { textOf } from '../llm/chat.ts'
import type { ChatRequest } from '../llm/chat.ts'
import type { Ended } from '../runs/finish.ts'
import { inputTokens } from '../runs/open.ts'
import type { ChatRunRequest } from '../runs/open.ts'
import { answerInStream, answerWhole } from './answer.ts'
import { answerLater } from './background/background.ts'
import type { Exchange } from './exchange.ts'
import { openSource } from './open.ts'
import { idempotencyOf, payer, usableModel } from './request.ts'
import type { Parts, Wishes } from './request.ts'
import type { Shape } from './shape.ts'
import type { Source } from './source.ts'

/** No tokenizer makes a token of more characters than this on the average; what has more cannot fit the model. */
const CHARS_PER_TOKEN = 8

/** A call as its door understood it. */
export type Asked = {
  /** The door and all that was sent: what an Idempotency-Key stands for. */
  sent: [door: string, body: object]
  model: string
  /** Ours, of every door: see the contract. */
  wishes: Wishes
  stream: boolean
  /** The conversation that it goes on with. */
  sess_id?: string | null | undefined
  /** Answered at once, and fetched later. */
  background?: boolean | null | undefined
  /** Throws AppError. */
  promptOf: (model: ModelEntry) => ChatRequest
  shapeOf: (run_id: string, request: ChatRunRequest) => Shape
}

/** Answers a call of any door: holds, runs, settles, and only then says that the answer is whole. Throws AppError. */
export async function answerCall(
  parts: Parts,
  key: GatewayKey,
  exchange: Exchange,
  asked: Asked,
): Promise<void> {
  const { endings, rates } = parts
  const model = usableModel(parts.catalogue, key, asked.model, 'chat')
  const request = await requestOf(parts, key, asked, model)
  const { sess_id, background } = asked
  const source = await openSource(parts, {
    key,
    request,
    tokens: inputTokens,
    idempotency: idempotencyOf(exchange, ...asked.sent),
    gone: exchange.gone,
    memory: sess_id ? { sess_id, model } : null,
    background: background === true,
  })
  try {
    const ended = await answerFrom(parts, source, request, asked, exchange)
    if (ended) await rates.output(key, ended.metered.tokens.output)
  } finally {
    if ('opened' in source) endings.forget(source.run_id)
  }
}

/** How the run ended; null when that is another call's to know. */
function answerFrom(
  { db, runs }: Parts,
  source: Source,
  request: ChatRunRequest,
  { background, stream, shapeOf }: Asked,
  exchange: Exchange,
): Promise<Ended | null> {
  const { user_id, model } = request
  if (background) return answerLater({ db, user_id, model, source, exchange })
  const answering = { runs, source, shape: shapeOf(source.run_id, request), exchange }
  return stream ? answerInStream(answering) : answerWhole(answering)
}

/** Throws AppError. */
async function requestOf(
  parts: Parts,
  key: GatewayKey,
  asked: Asked,
  model: ModelEntry,
): Promise<ChatRunRequest> {
  const paid = await payer(parts, key, asked.wishes)
  const prompt = asked.promptOf(model)
  throwUnlessFits(prompt, model)
  return { ...paid, model: model.id, prompt }
}

function throwUnlessFits({ messages }: ChatRequest, { context_window }: ModelEntry): void {
  const chars = messages.reduce((sum, { content }) => sum + textOf(content).length, 0)
  if (chars > context_window * CHARS_PER_TOKEN) throw new AppError('context_length_exceeded')
}
