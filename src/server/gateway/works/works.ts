import type { GatewayKey } from '../../keys/keys.ts'
import type { WorkPath } from '../../llm/works/work.ts'
import type { Exchange } from '../exchange.ts'
import { openSource } from '../open.ts'
import { idempotencyOf, payer, usableModel } from '../request.ts'
import type { Parts } from '../request.ts'
import type { Source } from '../source.ts'
import { KEPT_BYTES } from '../kept.ts'
import { answerJson, answerPiped } from './answer.ts'
import { readAsked, WORK_TYPES } from './asked.ts'

export { isWorkPath } from './asked.ts'

/** The calls that are no chat: held, run, settled, and only then answered to the end. Throws AppError. */
export async function perform(
  parts: Parts,
  path: WorkPath,
  key: GatewayKey,
  exchange: Exchange,
): Promise<void> {
  const { runs, catalogue, bodies, endings } = parts
  const asked = await readAsked(path, bodies, exchange)
  const model = usableModel(catalogue, key, asked.model, WORK_TYPES[path])
  const work = await asked.work(model)
  const request = { ...(await payer(parts, key, asked.wish)), model: model.id, work }
  const idempotency = idempotencyOf(exchange, path.slice(1), asked.body)
  const source = await openSource(parts, {
    key,
    request,
    tokens: asked.tokens,
    idempotency,
    gone: exchange.gone,
  })
  try {
    const answering = { runs, source, exchange, model: model.id, keep: keepOf(source) }
    await (work.answer === 'json' ? answerJson(answering, work) : answerPiped(answering))
  } finally {
    if ('opened' in source) endings.forget(source.run_id)
  }
}

const keepOf = (source: Source): number => ('opened' in source && source.keyed ? KEPT_BYTES : 0)
