import type { Handler } from '../pipeline/context.ts'
import { createBillingContext, requireModel } from '../pipeline/context.ts'
import { readIdempotencyKey } from '../pipeline/idempotency.ts'
import { requireAffordable, withRunSource } from '../pipeline/run-source.ts'
import { parseEmbeddings, parseImages, parseRerank, parseSpeech, parseTranscription } from './parse.ts'
import type { ParsedOperation } from './parse.ts'
import { respondBytes, respondJson } from './respond.ts'

/** Handles a call other than chat: holds, runs, settles, and only then sends the end of the response. */
const createOperationHandler =
  <Body>(parse: (body: Body) => ParsedOperation): Handler<Body> =>
  async (context) => {
    const parsed = parse(context.body)
    const { estimateInputTokens, getContent } = parsed
    const model = requireModel(context, parsed.model)
    const billing = await createBillingContext(context, parsed.routing_options)
    const idempotency = await readIdempotencyKey(context, getContent)
    const cheapest = parsed.createCheapest?.()
    if (cheapest) {
      const request = { ...billing, model: model.id, operation: cheapest }
      await requireAffordable(context, { request, idempotency })
    }
    const operation = await parsed.createOperation(model, context.deps)
    const request = { ...billing, model: model.id, operation }
    await withRunSource(context, { request, estimateInputTokens, idempotency, getContent }, (source) =>
      operation.response_type === 'json'
        ? respondJson(context, source, operation, model.id)
        : respondBytes(context, source),
    )
  }

export const operationHandlers = {
  'POST /embeddings': createOperationHandler(parseEmbeddings),
  'POST /rerank': createOperationHandler(parseRerank),
  'POST /v2/rerank': createOperationHandler(parseRerank),
  'POST /images/generations': createOperationHandler(parseImages),
  'POST /audio/speech': createOperationHandler(parseSpeech),
  'POST /audio/transcriptions': createOperationHandler(parseTranscription),
}
