import { readFileSync } from 'node:fs'
import type { Upstream } from '#test/world/upstream/upstream.ts'

const FILE = new URL('../../config/models.json', import.meta.url)

/** One model of each family whose refusals differ from the others', on its vendor's own platform. */
export const MODELS = {
  'deepseek-v4-pro': 'deepseek',
  'kimi-k2.6': 'moonshot',
  'minimax-m2.7': 'minimax',
  'qwen3.8-max': 'dashscope',
  'glm-5.3': 'zhipu',
  'mistral-medium-latest': 'mistral',
  'claude-sonnet-5-5': 'anthropic',
  'gemini-3.8-flash': 'gemini',
}
export const RERANK = { id: 'jina-reranker-v3', platform: 'jina' }

type Platform = { name: string; dialect: string; base_url?: string; api_key_env?: string }
type Model = { id: string; offers: { platform: string; model: string }[] }
type ModelsFile = { platforms: Platform[]; models: Model[] }

const readModelsFile = (): ModelsFile => JSON.parse(readFileSync(FILE, 'utf8')) as ModelsFile

/** The models file as shipped, with each platform's address replaced by its double's. */
export function renderModels(upstream: Upstream): string {
  const file = readModelsFile()
  const platforms = file.platforms.map((platform) =>
    platform.base_url ? { ...platform, base_url: upstream.platformUrl(platform.name) } : platform,
  )
  return JSON.stringify({ ...file, platforms })
}

/**
 * Keys of the platforms above and of no other: where one of them refuses a call, no other platform with the same model may answer
 * it.
 */
export function createPlatformKeys(): Record<string, string> {
  const used = new Set([...Object.values(MODELS), RERANK.platform])
  const names = readModelsFile().platforms.flatMap(({ name, api_key_env }) =>
    used.has(name) && api_key_env ? api_key_env : [],
  )
  return Object.fromEntries(names.map((name) => [name, 'sk-scripted']))
}

/** Maps our names of models to those on the platforms above. */
export function readPlatformNames(): Map<string, string> {
  const { models } = readModelsFile()
  return new Map(
    Object.entries(MODELS).map(([id, platform]) => {
      const offers = models.find((model) => model.id === id)?.offers ?? []
      const offer = offers.find((one) => one.platform === platform)
      if (!offer) throw new Error(`config/models.json has no ${id} on ${platform}`)
      return [id, offer.model]
    }),
  )
}
