import { AppError } from '../../core/app-error.ts'
import type { GatewayKey } from '../../keys/keys.ts'
import type { WorkPath } from '../../llm/works/work.ts'
import type { Exchange } from '../exchange.ts'
import { idempotencyOf, payer, sourceOf, usableModel } from '../request.ts'
import type { Parts } from '../request.ts'
import { KEPT_BYTES } from '../kept.ts'
import { answerJson, answerPiped } from './answer.ts'
import { readAsked, WORK_TYPES } from './asked.ts'
import type { Asked } from './asked.ts'

export { isWorkPath } from './asked.ts'

/** Uploads in memory at a time in this process, each with up to 25 MB; beyond it a new one is told to come back. */
const MOST_UPLOADS = 32

/** The calls that are no chat: held, run, settled, and only then answered to the end. */
export function openWorks(parts: Parts) {
  let uploads = 0

  /** Throws AppError. */
  const perform = async (path: WorkPath, key: GatewayKey, exchange: Exchange): Promise<void> => {
    const asked = await readAsked(path, exchange.request)
    const model = usableModel(parts.catalogue, key, asked.model, WORK_TYPES[path])
    const work = await asked.work(model)
    const request = { ...(await payer(parts, key, asked.wish)), model: model.id, work }
    await parts.rates.input(key, asked.tokens)
    const source = await sourceOf(parts, request, idempotencyFor(path, exchange, asked), exchange.gone)
    try {
      const answering = { runs: parts.runs, source, exchange, model: model.id, keep: keepOf(source) }
      await (work.answer === 'json' ? answerJson(answering, work) : answerPiped(answering))
    } finally {
      if ('opened' in source) parts.replays.forget(source.run_id)
    }
  }

  return async (path: WorkPath, key: GatewayKey, exchange: Exchange): Promise<void> => {
    if (path !== '/audio/transcriptions') return perform(path, key, exchange)
    if (uploads >= MOST_UPLOADS) throw new AppError('overloaded', { retry_after: 1 })
    uploads += 1
    try {
      await perform(path, key, exchange)
    } finally {
      uploads -= 1
    }
  }
}

const idempotencyFor = (path: WorkPath, exchange: Exchange, { body }: Asked) =>
  idempotencyOf(exchange, path.slice(1), body)

const keepOf = (source: Awaited<ReturnType<typeof sourceOf>>): number =>
  'opened' in source && source.keyed ? KEPT_BYTES : 0
