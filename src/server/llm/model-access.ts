import { AppError } from '#server/core/app-error.ts'
import type { Catalogue } from './catalogue/catalogue.ts'
import type { ModelEntry } from './catalogue/schema.ts'
import type { ChatRequest, ContentPart } from './chat-request.ts'

/** Who asks for a model, and for what. */
export type ModelAccess = {
  /** The type that the call is for; any where absent. */
  type?: ModelEntry['type']
  /** What the field `model` is told about a model of another type. */
  type_error?: string
  /** It must also be listed: the demonstration model is not while a real platform is configured. */
  listed?: boolean
  /** A guest: only models that are open to guests. */
  guest?: boolean
  /** Models that an API key is limited to; null: all. */
  allowed_models?: readonly string[] | null
}

/**
 * A model that the caller may use; whether a platform serves it now is another question. Throws AppError: model_not_found
 * for one that is unknown, hidden or of another type, guest_model, model_not_allowed.
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

/** Whether the caller may use a model, without an error. */
export function isModelAllowed(catalogue: Catalogue, id: string, access: ModelAccess): boolean {
  try {
    requireModelAccess(catalogue, id, access)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** Whether the caller may use a model and a platform serves it now: for choosing one that nobody asked for by name. */
export const canUseModel = (catalogue: Catalogue, id: string, access: ModelAccess): boolean =>
  isModelAllowed(catalogue, id, access) && catalogue.listOffers(id).length > 0

/** A capability that a model needs for a request, and what it does by it. */
type Need = { capability: string; task: string }

const PART_NEEDS: Record<ContentPart['type'], Need | null> = {
  text: null,
  image: { capability: 'vision', task: '读取图片' },
  audio: { capability: 'audio', task: '读取音频' },
  file: { capability: 'files', task: '读取 PDF 文件' },
}
const CHOICES_NEED: Need = { capability: 'choices', task: '一次给出多个回答（n）' }
/** Models that a refusal names at most. */
const MAX_NAMED_MODELS = 8

/**
 * Throws AppError content_unsupported for a request with parts that the model does not take, or for more answers than it
 * gives; it names models that do and that the caller may use.
 */
export function requireCapabilities(
  catalogue: Catalogue,
  model: ModelEntry,
  request: Pick<ChatRequest, 'messages' | 'n'>,
  access: ModelAccess,
): void {
  const missing = findMissingNeed(model, request)
  if (!missing) return
  const able = listCapableModels(catalogue, missing.capability, access)
  const advice = able.length ? `可以换用 ${able.join('、')}` : '这里也没有其他模型可以'
  throw new AppError('content_unsupported', {
    fields: { model: `${model.id} 不能${missing.task}，${advice}` },
  })
}

function findMissingNeed(
  { capabilities }: ModelEntry,
  { messages, n = 1 }: Pick<ChatRequest, 'messages' | 'n'>,
): Need | null {
  if (n > 1 && !capabilities.includes(CHOICES_NEED.capability)) return CHOICES_NEED
  for (const { content } of messages) {
    if (typeof content === 'string') continue
    for (const { type } of content) {
      const need = PART_NEEDS[type]
      if (need && !capabilities.includes(need.capability)) return need
    }
  }
  return null
}

const listCapableModels = (catalogue: Catalogue, capability: string, access: ModelAccess): string[] =>
  catalogue
    .listModels()
    .filter(({ id, capabilities }) => capabilities.includes(capability) && canUseModel(catalogue, id, access))
    .slice(0, MAX_NAMED_MODELS)
    .map(({ id }) => id)
