import { readFileSync } from 'node:fs'
import { useOwnWorld } from '../world/use-world.ts'
import type { UseWorldOptions } from '../world/use-world.ts'
import type { World } from '../world/world.ts'

/** A model of each family that differs in its refusals: our id, its platform and its name there. */
export const FAMILIES = [
  ['deepseek-v4-pro', 'deepseek', 'deepseek-v4-pro'],
  ['kimi-k2.6', 'moonshot', 'kimi-k2.6'],
  ['minimax-m2.7', 'minimax', 'MiniMax-M2.7'],
  ['qwen3.8-max', 'dashscope', 'qwen3.8-max'],
  ['glm-5.3', 'zhipu', 'glm-5.3'],
  ['mistral-medium-latest', 'mistral', 'mistral-medium-latest'],
  ['claude-sonnet-5', 'anthropic', 'claude-sonnet-5'],
  ['claude-haiku-4-5', 'anthropic', 'claude-haiku-4-5'],
  ['claude-opus-5-5', 'anthropic', 'claude-opus-5-5'],
  ['gemini-3.8-flash', 'gemini', 'gemini-3.8-flash'],
  ['gpt-4.1', 'openai', 'gpt-4.1'],
  ['grok-4.7', 'xai', 'grok-4.7'],
  ['qwen3.6-35b-a3b', 'siliconflow', 'Qwen/Qwen3.6-35B-A3B'],
  ['doubao-seed-2.1-pro', 'volcengine', 'doubao-seed-2-1-pro-260915'],
  ['own-qwen', 'vllm', 'own-qwen'],
  ['own-deepseek', 'anthropic-compatible', 'own-deepseek'],
] as const

type ModelsFile = {
  platforms: { name: string; alias: string; dialect: string; base_url?: string; api_key_env?: string }[]
  models: { id: string; offers: { platform: string }[] }[]
}

const readFile = (): ModelsFile => JSON.parse(readFileSync('config/models.json', 'utf8')) as ModelsFile

/** Keeps the offer of a family's own platform: calls of the model must not go to another one. */
function keepOffer(model: ModelsFile['models'][number]): ModelsFile['models'][number] {
  const family = FAMILIES.find(([id]) => id === model.id)
  if (!family) return model
  return { ...model, offers: model.offers.filter(({ platform }) => platform === family[1]) }
}

function renderFile({ upstream }: Pick<World, 'upstream'>): string {
  const { platforms, ...file } = readFile()
  const own = (['vllm', 'anthropic-compatible'] as const).map((name) => ({
    name,
    alias: name,
    dialect: name === 'vllm' ? 'openai' : 'anthropic',
    base_url: upstream.platformUrl(name),
  }))
  const capabilities = ['tools', 'reasoning', 'vision']
  const more = { type: 'chat', capabilities, context_window: 32_768, max_tokens: 16_384 }
  const ownModels = FAMILIES.filter(([id]) => id.startsWith('own-')).map(([id, platform, model]) => ({
    id,
    name: id,
    ...more,
    offers: [{ platform, model, input: 1, output: 1 }],
  }))
  return JSON.stringify({
    ...file,
    platforms: [
      ...platforms.map((one) => (one.base_url ? { ...one, base_url: upstream.platformUrl(one.name) } : one)),
      ...own,
    ],
    models: [...file.models.map(keepOffer), ...ownModels],
  })
}

/** Starts the app with the project's own models, on platforms as strict as the real ones. */
export const useStrictPlatforms = (options: UseWorldOptions = {}): World =>
  useOwnWorld({
    ...options,
    env: Object.fromEntries([
      ...readFile().platforms.flatMap(({ api_key_env }) =>
        api_key_env ? [[api_key_env, 'sk-scripted']] : [],
      ),
      ['SIGNUP_COINS', '1000000'],
    ]) as Record<string, string>,
    models: (upstream) => renderFile({ upstream }),
  })
