import { AppError } from '../core/app-error.ts'
import type { GatewayKey } from '../keys/keys.ts'
import type { ModelEntry } from '../llm/catalogue-schema.ts'
import { textOf } from '../llm/chat.ts'
import type { ChatRequest } from '../llm/chat.ts'
import { estimatePrompt } from '../llm/estimate.ts'
import type { ChatRunRequest } from '../runs/open.ts'
import { answerInStream, answerWhole } from './answer.ts'
import type { Exchange } from './exchange.ts'
import { idempotencyOf, payer, sourceOf, usableModel } from './request.ts'
import type { Parts, Wishes } from './request.ts'
import type { Shape } from './shape.ts'

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
  const { runs, replays, rates } = parts
  const request = await requestOf(parts, key, asked)
  const { messages } = request.prompt
  await rates.input(key, () => estimatePrompt(messages, request.model))
  const source = await sourceOf(parts, request, idempotencyOf(exchange, ...asked.sent), exchange.gone)
  const answering = { runs, source, shape: asked.shapeOf(source.run_id, request), exchange }
  try {
    const { metered } = await (asked.stream ? answerInStream(answering) : answerWhole(answering))
    await rates.output(key, metered.tokens.output)
  } finally {
    if ('opened' in source) replays.forget(source.run_id)
  }
}

/** Throws AppError. */
async function requestOf(parts: Parts, key: GatewayKey, asked: Asked): Promise<ChatRunRequest> {
  const model = usableModel(parts.catalogue, key, asked.model, 'chat')
  const paid = await payer(parts, key, asked.wishes)
  const prompt = asked.promptOf(model)
  throwUnlessFits(prompt, model)
  return { ...paid, model: model.id, prompt }
}

function throwUnlessFits({ messages }: ChatRequest, { context_window }: ModelEntry): void {
  const chars = messages.reduce((sum, { content }) => sum + textOf(content).length, 0)
  if (chars > context_window * CHARS_PER_TOKEN) throw new AppError('context_length_exceeded')
}
