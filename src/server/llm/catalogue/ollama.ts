import { request } from 'undici'
import { z } from 'zod'
import type { ModelEntry, PlatformEntry } from './schema.ts'
import type { Env } from './offers.ts'

const PROBE_MS = 2_000
/** Families of models that only embed, so they answer no chat. */
const EMBEDDING_FAMILY = /bert/i
/** Families of models that take images; a model may name one beside the family of its text. */
const VISION_FAMILY = /^(clip|mllama|gemma3|llama4|mistral3|qwen\S*vl\S*)$/i

const tagsSchema = z.object({
  models: z.array(
    z.object({
      name: z.string().min(1).max(120),
      details: z
        .object({ family: z.string(), families: z.array(z.string()).nullable() })
        .partial()
        .nullish(),
    }),
  ),
})

export type DiscoveredModels = { platforms: PlatformEntry[]; models: ModelEntry[] }

/**
 * The address at which Ollama listens, without a slash at the end: OLLAMA_HOST in the forms that Ollama itself takes (`host`,
 * `host:port`, `:port`, a URL), default http://127.0.0.1:11434; null when WENQU_OLLAMA=off.
 */
export function resolveOllamaUrl(env: Env): string | null {
  if (env['WENQU_OLLAMA'] === 'off') return null
  const host = env['OLLAMA_HOST']?.trim() ?? ''
  const whole = /^https?:\/\//.test(host)
    ? host
    : `http://${host.startsWith(':') || !host ? '127.0.0.1' : ''}${host}`
  if (!URL.canParse(whole)) return null
  const url = new URL(whole)
  // A server that listens on all addresses is called on loopback.
  const name = url.hostname === '0.0.0.0' ? '127.0.0.1' : url.hostname
  const port = url.port || (url.protocol === 'https:' ? '443' : whole.endsWith(':80') ? '80' : '11434')
  return `${url.protocol}//${name}:${port}`
}

type Tag = z.output<typeof tagsSchema>['models'][number]

function toModelEntry({ name, details }: Tag): ModelEntry {
  const families = [details?.family ?? '', ...(details?.families ?? [])]
  return {
    id: name,
    name,
    desc: '本机 Ollama 上的模型',
    vendor: '',
    tags: [],
    source: '',
    type: 'chat',
    context_window: 8192,
    max_tokens: 4096,
    capabilities: families.some((family) => VISION_FAMILY.test(family)) ? ['vision'] : [],
    visible: true,
    guest: true,
    discount: 1,
    offers: [{ platform: 'ollama', model: name, input: 0, output: 0, per_call: 0 }],
  }
}

/** Asks for the models of the Ollama at `url` (`GET /api/tags`); null when none answers there. Never throws. */
export async function probeOllama(url: string): Promise<DiscoveredModels | null> {
  try {
    const response = await request(`${url}/api/tags`, {
      signal: AbortSignal.timeout(PROBE_MS),
      headersTimeout: PROBE_MS,
      bodyTimeout: PROBE_MS,
    })
    if (response.statusCode !== 200) {
      await response.body.dump()
      return null
    }
    const { models } = tagsSchema.parse(await response.body.json())
    const chat = models.filter(({ details }) => !EMBEDDING_FAMILY.test(details?.family ?? ''))
    const platform: PlatformEntry = {
      name: 'ollama',
      alias: 'Ollama（本机）',
      website: 'https://ollama.com',
      dialect: 'openai',
      base_url: `${url}/v1`,
      timeout_ms: 300_000,
      abort_stops_billing: true,
      fields: [],
      families: [],
    }
    return { platforms: [platform], models: chat.map(toModelEntry) }
  } catch {
    return null
  }
}
