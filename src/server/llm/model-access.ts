import { AppError } from '#server/core/app-error.ts'
import type { Catalogue } from './catalogue/catalogue.ts'
import type { ModelEntry } from './catalogue/schema.ts'
import type { ChatRequest } from './chat-request.ts'
import { isStrict, listNeeds } from './needs.ts'
import type { Need } from './needs.ts'

/** The conditions under which a caller may use a model. */
export type ModelAccess = {
  /** The type that the call is for; any where absent. */
  type?: ModelEntry['type']
  /** The fault of the field `model` when it names a model of another type. */
  type_error?: string
  /** It must also be listed, which the demonstration model is not while a real platform is configured. */
  listed?: boolean
  /** A guest: only models that are open to guests. */
  guest?: boolean
  /** Models that an API key is limited to; null: all. */
  allowed_models?: readonly string[] | null
}

/**
 * Returns a model that the caller may use, even if no platform serves it now. Throws AppError: model_not_found for a model that
 * is unknown, hidden or of another type, guest_model, model_not_allowed.
 */
export function requireModelAccess(catalogue: Catalogue, id: string, access: ModelAccess): ModelEntry {
  const { type, type_error, listed, guest, allowed_models = null } = access
  const model = catalogue.getModel(id)
  if (!model?.visible) throw new AppError('model_not_found')
  if (listed && !catalogue.listModels().includes(model)) throw new AppError('model_not_found')
  if (type && model.type !== type)
    throw new AppError('model_not_found', type_error ? { fields: { model: type_error } } : {})
  if (guest && !model.guest) throw new AppError('guest_model')
  if (allowed_models && !allowed_models.some((allowed) => catalogue.getModel(allowed) === model))
    throw new AppError('model_not_allowed')
  return model
}

/** Tells whether the caller may use a model, without an error. */
export function isModelAllowed(catalogue: Catalogue, id: string, access: ModelAccess): boolean {
  try {
    requireModelAccess(catalogue, id, access)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** Tells whether the caller may use a model and a platform serves it now; for choices among models that nobody named. */
export const canUseModel = (catalogue: Catalogue, id: string, access: ModelAccess): boolean =>
  isModelAllowed(catalogue, id, access) && catalogue.listOffers(id).length > 0

/** The tasks that a refused model cannot do. */
const TASKS: Record<Need, string> = {
  tools: '调用工具（tools）',
  forced_tool: '被要求必须调用工具（tool_choice）',
  json: '只输出 JSON（response_format）',
  json_schema: '按 JSON Schema 输出（response_format）',
  prefix: '接着写一段已经开头的回答（最后一条消息是 assistant）',
  vision: '读取图片',
  audio: '读取音频',
  files: '读取 PDF 文件',
  choices: '一次给出多个回答（n）',
}
/** Needs that the file states as capabilities of a model, which lacks all others of them. */
const CAPABILITIES: readonly string[] = ['vision', 'audio', 'files', 'choices'] satisfies Need[]
/** Most models that a refusal names. */
const MAX_NAMED_MODELS = 8

/**
 * Throws AppError content_unsupported for a request with a need that the model, or every platform that serves it, cannot meet.
 * The error names models that can and that the caller may use.
 */
export function requireCapabilities(
  catalogue: Catalogue,
  model: ModelEntry,
  request: Pick<ChatRequest, 'messages' | 'n'> & Partial<ChatRequest>,
  access: ModelAccess,
): void {
  const unmetNeed = listNeeds(request).find((need) => isStrict(need) && !canDo(catalogue, model, need))
  if (!unmetNeed) return
  const able = catalogue
    .listModels()
    .filter(
      (one) =>
        one.type === 'chat' && canUseModel(catalogue, one.id, access) && canDo(catalogue, one, unmetNeed),
    )
    .slice(0, MAX_NAMED_MODELS)
    .map(({ id }) => id)
  const advice = able.length ? `可以换用 ${able.join('、')}` : '这里也没有其他模型可以'
  throw new AppError('content_unsupported', {
    fields: { model: `${model.id} 不能${TASKS[unmetNeed]}，${advice}` },
  })
}

function canDo(catalogue: Catalogue, { id, capabilities }: ModelEntry, need: Need): boolean {
  if (CAPABILITIES.includes(need) && !capabilities.includes(need)) return false
  const offers = catalogue.listOffers(id)
  return !offers.length || offers.some(({ family }) => !family.lacks.includes(need))
}
