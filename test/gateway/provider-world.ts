import type { Upstream } from '../world/upstream/upstream.ts'
import { useOwnWorld } from '../world/use-world.ts'
import type { World } from '../world/world.ts'

/** A model of each dialect; rules for versions depend on the names. */
export const MODELS = {
  openai: 'deepseek-script',
  anthropic: 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-script',
} as const
export type ProviderName = keyof typeof MODELS
export const PROVIDERS = Object.keys(MODELS) as ProviderName[]

/** A Claude that decides itself how much to think. */
export const ADAPTIVE_THINKING_MODEL = 'claude-opus-4-6'

const capabilities = ['tools', 'reasoning', 'vision', 'files']
const models = [
  ...PROVIDERS.map((dialect) => ({
    id: MODELS[dialect],
    dialect,
    capabilities: dialect === 'anthropic' ? capabilities : [...capabilities, 'audio'],
  })),
  { id: ADAPTIVE_THINKING_MODEL, dialect: 'anthropic' as const, capabilities },
  { id: 'claude-opus-4-8', dialect: 'anthropic' as const, capabilities },
  { id: 'plain', capabilities: [] },
]

/** A world with models of every dialect, served by one upstream that speaks them all. */
export const useProviderWorld = (): World =>
  useOwnWorld({ models: (upstream: Upstream) => upstream.renderModelsFile(...models) })
