import type { GatewayKey } from '#server/keys/keys.ts'
import type { OperationPath } from '#server/llm/llm.ts'
import type { Exchange } from '../http/exchange.ts'
import { openRunSource } from '../pipeline/open-run.ts'
import { readCallIdempotency, createBillingContext, requireModelAccess } from '../pipeline/run-request.ts'
import type { GatewayDeps } from '../pipeline/run-request.ts'
import type { RunSource } from '../pipeline/run-source.ts'
import { MAX_CACHED_BYTES } from '../pipeline/serialize-result.ts'
import { respondJson, respondBytes } from './respond.ts'
import { parseOperation, OPERATION_MODEL_TYPES } from './request.ts'

export { isOperationPath as isWorkPath } from './request.ts'

/** The calls that are no chat: held, run, settled, and only then answered to the end. Throws AppError. */
export async function handleOperation(
  deps: GatewayDeps,
  path: OperationPath,
  key: GatewayKey,
  exchange: Exchange,
): Promise<void> {
  const { runs, catalogue, body_reader, completion_hooks } = deps
  const parsed = await parseOperation(path, body_reader, exchange)
  const model = requireModelAccess(catalogue, key, parsed.model, OPERATION_MODEL_TYPES[path])
  const operation = await parsed.createOperation(model)
  const request = {
    ...(await createBillingContext(deps, key, parsed.routing_options)),
    model: model.id,
    operation,
  }
  const idempotency = readCallIdempotency(exchange, path.slice(1), parsed.body)
  const source = await openRunSource(deps, {
    key,
    request,
    estimateInputTokens: parsed.estimateInputTokens,
    idempotency,
    disconnect_signal: exchange.disconnect_signal,
  })
  try {
    const context = { runs, source, exchange, model: model.id, keep: getCacheLimit(source) }
    await (operation.response_type === 'json' ? respondJson(context, operation) : respondBytes(context))
  } finally {
    if ('opened' in source) completion_hooks.unregister(source.run_id)
  }
}

const getCacheLimit = (source: RunSource): number =>
  'opened' in source && source.has_idempotency_key ? MAX_CACHED_BYTES : 0
