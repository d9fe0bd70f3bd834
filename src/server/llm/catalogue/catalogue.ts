import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { ChatModel } from '#contract/models.ts'
import { toChinaDay } from '#contract/dates/dates.ts'
import type { LogWriter } from '#server/core/log.ts'
import { parseCatalogue } from './models-file.ts'
import type { AliasEntry, CatalogueFile, ModelEntry, PlatformEntry } from './schema.ts'
import { toChatModel, listConfiguredOffers, isPlatformConfigured, isLocalModel, isRetired } from './offers.ts'
import type { Env, Offer } from './offers.ts'
import { resolveOllamaUrl, probeOllama } from './ollama.ts'
import type { DiscoveredModels } from './ollama.ts'

/** The product's default model (specification section 9). */
const DEFAULT_MODEL = 'deepseek-chat'
const RELOAD_MS = 1_000
const OLLAMA_MS = 60_000
const NO_MODELS: DiscoveredModels = { platforms: [], models: [] }

/** The models and their offers, as MODELS_FILE (and an Ollama on this machine) define them at this moment. */
export type Catalogue = {
  /** Visible chat models in the file's order; the local one only where no real platform is configured. */
  listChatModels(): ChatModel[]
  /**
   * Visible models of every type in the file's order, each with all its offers, also of platforms that are not
   * configured; the local one only where no real platform is configured.
   */
  listModels(): ModelEntry[]
  /** Every platform in the file's order, and the Ollama that was found. */
  listPlatforms(): PlatformEntry[]
  /** Tells whether the platform can be called now; false for an unknown one. */
  isConfigured(platformName: string): boolean
  /** A model of any type by its id, or by a name that leads to it. */
  getModel(id: string): ModelEntry | undefined
  /** A name that was retired or changed; undefined for a model's own. */
  getAlias(id: string): AliasEntry | undefined
  /** The offers that can be called now, in the file's order; empty for an unknown or unavailable model. */
  listOffers(modelId: string): Offer[]
  /** The model for people who chose none; with `guest`, one that guests may try, if there is any. Empty when there is none. */
  getDefaultModel(options?: { guest: boolean }): string
  /** Why the last edit of the file was rejected; null when the file in use is the one on disk. */
  getReloadError(): string | null
  close(): void
}

type Options = { file: string; env: Env; log: LogWriter }

/** The file's models with those found on this machine; the file wins where both name one. */
function mergeDiscovered(file: CatalogueFile, discovered: DiscoveredModels): CatalogueFile {
  if (file.platforms.some(({ name }) => name === 'ollama')) return file
  const fileIds = new Set(file.models.map(({ id }) => id))
  return {
    ...file,
    platforms: [...file.platforms, ...discovered.platforms],
    models: [...file.models, ...discovered.models.filter(({ id }) => !fileIds.has(id))],
  }
}

/** Every model's offers, under the rule that the local model is never chosen where a real platform is configured. */
function groupOffersByModel(catalogue: CatalogueFile, env: Env): Map<string, Offer[]> {
  const all = catalogue.models.map((model) => ({
    model,
    offers: listConfiguredOffers(model, catalogue.platforms, env),
  }))
  const real = all.some(
    ({ model, offers }) =>
      model.type === 'chat' && model.visible && offers.some(({ dialect }) => dialect !== 'local'),
  )
  return new Map(
    all.map(({ model, offers }) => [
      model.id,
      real ? offers.filter(({ dialect }) => dialect !== 'local') : offers,
    ]),
  )
}

/** Computes a file's models and offers for these environment variables. */
export function createSnapshot(catalogue: CatalogueFile, env: Env) {
  const offers = groupOffersByModel(catalogue, env)
  const models = new Map(catalogue.models.map((model) => [model.id, model]))
  const aliases = new Map(catalogue.aliases.map((alias) => [alias.id, alias]))
  for (const { id, model } of aliases.values()) {
    models.set(id, models.get(model)!)
    offers.set(id, offers.get(model) ?? [])
  }
  const chatModels = catalogue.models
    .filter(({ type, visible }) => type === 'chat' && visible)
    .map((model) => toChatModel(model, catalogue, offers.get(model.id) ?? []))
    .filter(({ local, available }) => available || !local)
  const visibleModels = catalogue.models.filter(
    (model) => model.visible && (!isLocalModel(model, catalogue.platforms) || offers.get(model.id)?.length),
  )
  const configured = new Set(
    catalogue.platforms.filter((platform) => isPlatformConfigured(platform, env)).map(({ name }) => name),
  )
  return { offers, models, aliases, chatModels, visibleModels, platforms: catalogue.platforms, configured }
}

function selectDefaultModel(models: ChatModel[], guest: boolean): string {
  const usable = models.filter((model) => model.available && (model.guest || !guest))
  const preferred = usable.find(({ id }) => id === DEFAULT_MODEL)
  return (
    (preferred ?? usable.find(({ local }) => !local) ?? usable[0])?.id ??
    (guest ? selectDefaultModel(models, false) : '')
  )
}

/**
 * Reads `file` and watches it: an edit is loaded within seconds, a bad one is rejected with its line and reason while the
 * old one stays. A bad file at the start throws CatalogueError. Ollama is probed in the background.
 */
export function loadCatalogue({ file, env, log }: Options): Catalogue {
  let lastText: string | null = readFileSync(file, 'utf8')
  let fileModels = parseCatalogue(lastText)
  let discovered = NO_MODELS
  let current = createSnapshot(fileModels, env)
  let error: string | null = null
  let closed = false

  const reload = async (): Promise<void> => {
    try {
      const text = await readFile(file, 'utf8').catch((cause: unknown) => {
        // The file must be parsed again when it comes back, even unchanged.
        lastText = null
        throw cause
      })
      if (text === lastText || closed) return
      lastText = text
      fileModels = parseCatalogue(text)
      current = createSnapshot(mergeDiscovered(fileModels, discovered), env)
      error = null
      log.info({ file, models: fileModels.models.length }, 'models file reloaded')
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      if (reason !== error) log.error({ file, reason }, 'models file refused, the previous one stays in use')
      error = reason
    }
  }

  const url = resolveOllamaUrl(env)
  const discoverOllama = async (): Promise<void> => {
    const ollamaModels = (url && (await probeOllama(url))) || NO_MODELS
    if (closed || JSON.stringify(ollamaModels) === JSON.stringify(discovered)) return
    discovered = ollamaModels
    current = createSnapshot(mergeDiscovered(fileModels, discovered), env)
    log.info({ url, models: discovered.models.map(({ id }) => id) }, 'Ollama models changed')
  }

  const timers = [setInterval(() => void reload(), RELOAD_MS)]
  if (url) {
    void discoverOllama()
    timers.push(setInterval(() => void discoverOllama(), OLLAMA_MS))
  }
  for (const timer of timers) timer.unref()

  /** A model may retire while the server runs. */
  const listChatModels = (): ChatModel[] => {
    const today = toChinaDay(new Date())
    return current.chatModels.map((model) =>
      model.available && isRetired(model.retires, today) ? { ...model, available: false } : model,
    )
  }

  return {
    listChatModels,
    listModels: () => current.visibleModels,
    listPlatforms: () => current.platforms,
    isConfigured: (platformName) => current.configured.has(platformName),
    getModel: (id) => current.models.get(id),
    getAlias: (id) => current.aliases.get(id),
    listOffers: (modelId) => current.offers.get(modelId) ?? [],
    getDefaultModel: (options) => selectDefaultModel(listChatModels(), options?.guest ?? false),
    getReloadError: () => error,
    close: () => {
      closed = true
      for (const timer of timers) clearInterval(timer)
    },
  }
}
