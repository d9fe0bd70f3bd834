import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { ChatModel } from '#contract/models.ts'
import { parseCatalogue } from './catalogue-file.ts'
import type { CatalogueFile, ModelEntry, PlatformEntry } from './catalogue-schema.ts'
import { chatModelOf, configuredOffers, isConfigured, isLocal } from './offers.ts'
import type { Env, Offer } from './offers.ts'
import { ollamaUrl, probeOllama } from './ollama.ts'
import type { Found } from './ollama.ts'

/** The product's default model (specification section 9). */
export const DEFAULT_MODEL = 'deepseek-chat'
const RELOAD_MS = 1_000
const OLLAMA_MS = 60_000
const NOTHING: Found = { platforms: [], models: [] }

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>

/** The models and who serves them, as MODELS_FILE (and an Ollama on this machine) say at this moment. */
export type Catalogue = {
  /** Visible chat models in the file's order; the local one only where no real platform is configured. */
  chatModels(): ChatModel[]
  /**
   * Visible models of every type in the file's order, each with all its offers, also of platforms that are not
   * configured; the local one only where no real platform is configured.
   */
  models(): ModelEntry[]
  /** Every platform in the file's order, and the Ollama that was found. */
  platforms(): PlatformEntry[]
  /** Whether the platform can be called now; false for an unknown one. */
  configured(platform_name: string): boolean
  /** A model of any type by its id. */
  model(id: string): ModelEntry | undefined
  /** Who can serve the model now, best first; empty for an unknown or unavailable model. */
  offers(model_id: string): Offer[]
  /** The model for those who chose none; of those that guests may try, when `guest`. Empty when there is none. */
  default_model(who?: { guest: boolean }): string
  /** Why the last edit of the file was refused; null when the file in use is the one on disk. */
  error(): string | null
  close(): void
}

type Options = { file: string; env: Env; log: Log }

/** What the file says, together with what was found on this machine; the file wins where both name something. */
function joined(file: CatalogueFile, found: Found): CatalogueFile {
  if (file.platforms.some(({ name }) => name === 'ollama')) return file
  const own = new Set(file.models.map(({ id }) => id))
  return {
    platforms: [...file.platforms, ...found.platforms],
    models: [...file.models, ...found.models.filter(({ id }) => !own.has(id))],
  }
}

/** Every model's offers, under the rule that the stand-in is never chosen where a real platform is configured. */
function offersByModel(catalogue: CatalogueFile, env: Env): Map<string, Offer[]> {
  const all = catalogue.models.map((model) => ({
    model,
    offers: configuredOffers(model, catalogue.platforms, env),
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

function view(catalogue: CatalogueFile, env: Env) {
  const offers = offersByModel(catalogue, env)
  const models = new Map(catalogue.models.map((model) => [model.id, model]))
  const chatModels = catalogue.models
    .filter(({ type, visible }) => type === 'chat' && visible)
    .map((model) => chatModelOf(model, catalogue, offers.get(model.id) ?? []))
    .filter(({ local, available }) => available || !local)
  const shown = catalogue.models.filter(
    (model) => model.visible && (!isLocal(model, catalogue.platforms) || offers.get(model.id)?.length),
  )
  const configured = new Set(
    catalogue.platforms.filter((platform) => isConfigured(platform, env)).map(({ name }) => name),
  )
  return { offers, models, chatModels, shown, platforms: catalogue.platforms, configured }
}

function defaultOf(models: ChatModel[], guest: boolean): string {
  const ready = models.filter((model) => model.available && (model.guest || !guest))
  const wished = ready.find(({ id }) => id === DEFAULT_MODEL)
  return (
    (wished ?? ready.find(({ local }) => !local) ?? ready[0])?.id ?? (guest ? defaultOf(models, false) : '')
  )
}

/**
 * Reads `file` and keeps following it: an edit is taken over within seconds, a bad one is refused with its line and
 * reason while the old one stays. A bad file at the start throws CatalogueError. Ollama is looked for in the background.
 */
export function loadCatalogue({ file, env, log }: Options): Catalogue {
  let seen: string | null = readFileSync(file, 'utf8')
  let base = parseCatalogue(seen)
  let found = NOTHING
  let current = view(base, env)
  let error: string | null = null
  let closed = false

  const reload = async (): Promise<void> => {
    try {
      const text = await readFile(file, 'utf8').catch((cause: unknown) => {
        // So that the file is read anew when it comes back, even unchanged.
        seen = null
        throw cause
      })
      if (text === seen || closed) return
      seen = text
      base = parseCatalogue(text)
      current = view(joined(base, found), env)
      error = null
      log.info({ file, models: base.models.length }, 'models file reloaded')
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      if (reason !== error) log.error({ file, reason }, 'models file refused, the previous one stays in use')
      error = reason
    }
  }

  const url = ollamaUrl(env)
  const look = async (): Promise<void> => {
    const answer = (url && (await probeOllama(url))) || NOTHING
    if (closed || JSON.stringify(answer) === JSON.stringify(found)) return
    found = answer
    current = view(joined(base, found), env)
    log.info({ url, models: found.models.map(({ id }) => id) }, 'Ollama models changed')
  }

  const timers = [setInterval(() => void reload(), RELOAD_MS)]
  if (url) {
    void look()
    timers.push(setInterval(() => void look(), OLLAMA_MS))
  }
  for (const timer of timers) timer.unref()

  return {
    chatModels: () => current.chatModels,
    models: () => current.shown,
    platforms: () => current.platforms,
    configured: (platform_name) => current.configured.has(platform_name),
    model: (id) => current.models.get(id),
    offers: (model_id) => current.offers.get(model_id) ?? [],
    default_model: (who) => defaultOf(current.chatModels, who?.guest ?? false),
    error: () => error,
    close: () => {
      closed = true
      for (const timer of timers) clearInterval(timer)
    },
  }
}
