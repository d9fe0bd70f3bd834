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
  if (listed && !catalogue.listModels().some((one) => one.id === id)) throw new AppError('model_not_found')
  if (type && model.type !== type)
    throw new AppError('model_not_found', type_error ? { fields: { model: type_error } } : {})
  if (guest && !model.guest) throw new AppError('guest_model')
  if (allowed_models && !allowed_models.includes(id)) throw new AppError('model_not_allowed')
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

/** The capability that a model needs for a kind of part, and what people call the part. */
const PART_CAPABILITIES: Record<ContentPart['type'], { capability: string; name: string } | null> = {
  text: null,
  image: { capability: 'vision', name: '图片' },
  audio: { capability: 'audio', name: '音频' },
  file: { capability: 'files', name: 'PDF 文件' },
}
/** Models that a refusal names at most. */
const MAX_NAMED_MODELS = 8

/**
 * Throws AppError content_unsupported for a prompt with parts that the model does not take; it names models that do and
 * that the caller may use.
 */
export function requireCapabilities(
  catalogue: Catalogue,
  model: ModelEntry,
  { messages }: Pick<ChatRequest, 'messages'>,
  access: ModelAccess,
): void {
  for (const { content } of messages) {
    if (typeof content === 'string') continue
    for (const { type } of content) {
      const need = PART_CAPABILITIES[type]
      if (!need || model.capabilities.includes(need.capability)) continue
      const able = listCapableModels(catalogue, need.capability, access)
      const advice = able.length ? `可以换用 ${able.join('、')}` : '这里没有能读取的模型'
      throw new AppError('content_unsupported', {
        fields: { model: `${model.id} 不能读取${need.name}，${advice}` },
      })
    }
  }
}

const listCapableModels = (catalogue: Catalogue, capability: string, access: ModelAccess): string[] =>
  catalogue
    .listModels()
    .filter(({ id, capabilities }) => capabilities.includes(capability) && canUseModel(catalogue, id, access))
    .slice(0, MAX_NAMED_MODELS)
    .map(({ id }) => id)
