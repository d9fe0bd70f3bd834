import { readFile, stat } from 'node:fs/promises'
import { CatalogueError, findLine, parseJson } from '#server/llm/llm.ts'
import type { PlatformEntry } from '#server/llm/llm.ts'
import { AdminError } from '../admin-error.ts'
import { isLitellmMap, parseLitellmMap } from './litellm.ts'
import { isModelList, parseModelList } from './model-list.ts'
import { isModelsDevMap, parseModelsDevMap } from './models-dev.ts'
import { PriceMapError } from './price-map.ts'
import type { PriceMap } from './price-map.ts'

/** The best maintained public map of models and prices. */
export const DEFAULT_SOURCE =
  'https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json'

const MAX_BYTES = 32_000_000
const TIMEOUT_MS = 30_000

type Env = Readonly<Record<string, string | undefined>>

/** Source of a map. `platform` names the owner of a model list that does not name it itself. */
export type MapSource = { address: string; platform?: string | undefined }

export const isUrl = (address: string): boolean => /^https?:/i.test(address) && URL.canParse(address)

/** Reads a map in any of the known forms. Throws AdminError with place and reason. */
export async function readPriceMap(
  { address, platform: platformName }: MapSource,
  platforms: PlatformEntry[],
  env: Env,
): Promise<PriceMap> {
  const platform = platformName ?? findPlatform(address, platforms)?.name
  const text = isUrl(address) ? await fetchText(address, platforms, env) : await readText(address)
  try {
    return parseMap(
      parseJson(text),
      platforms.map(({ name }) => name),
      platform,
    )
  } catch (error) {
    if (error instanceof PriceMapError) {
      const place = error.path.length
        ? `line ${findLine(text, toKeys(error.path))}: ${error.path.join('.')}: `
        : ''
      throw new AdminError(`${address}: ${place}${error.message}`)
    }
    if (error instanceof CatalogueError) throw new AdminError(`${address}: ${error.message}`)
    throw error
  }
}

/** Numbers in a path are positions in lists. */
const toKeys = (path: string[]): (string | number)[] =>
  path.map((key) => (/^\d+$/.test(key) ? Number(key) : key))

function parseMap(file: unknown, names: string[], platform: string | undefined): PriceMap {
  if (isModelList(file)) {
    if (platform) return parseModelList(file, platform)
    throw new PriceMapError([], "a platform's list of models: whose? Name it with --platform <name>")
  }
  const map = isModelsDevMap(file)
    ? parseModelsDevMap(file, names)
    : isLitellmMap(file)
      ? parseLitellmMap(file, names)
      : undefined
  if (!map)
    throw new PriceMapError(
      [],
      "neither LiteLLM's price map, nor api.json of models.dev, nor a platform's answer to GET /models",
    )
  if ([...map.platforms.values()].some(({ size }) => size > 0)) return map
  throw new PriceMapError([], 'no model of any platform of the models file')
}

/** Returns the platform to whose API an address belongs. */
const findPlatform = (address: string, platforms: PlatformEntry[]): PlatformEntry | undefined =>
  isUrl(address)
    ? platforms.find(({ base_url }) => base_url && new URL(base_url).origin === new URL(address).origin)
    : undefined

async function readText(path: string): Promise<string> {
  try {
    const { size } = await stat(path)
    if (size > MAX_BYTES) throw new AdminError(`${path}: ${size} bytes, at most ${MAX_BYTES} are read`)
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof AdminError) throw error
    throw new AdminError(`${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Fetches an address of the operator's choice: unguarded, but with limits. A platform's key is sent only to that platform. */
async function fetchText(url: string, platforms: PlatformEntry[], env: Env): Promise<string> {
  const platform = findPlatform(url, platforms)
  const apiKey = platform?.api_key_env ? env[platform.api_key_env] : undefined
  const headers: Record<string, string> = { accept: 'application/json' }
  if (apiKey && platform?.dialect === 'anthropic')
    Object.assign(headers, { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' })
  else if (apiKey) headers['authorization'] = `Bearer ${apiKey}`
  try {
    const response = await fetch(url, {
      headers,
      // fetch would send x-api-key along to the target of a redirect.
      redirect: apiKey ? 'error' : 'follow',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok) throw new AdminError(`${url}: status ${response.status}`)
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (bytes > MAX_BYTES) throw new AdminError(`${url}: more than ${MAX_BYTES} bytes`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  } catch (error) {
    if (error instanceof AdminError) throw error
    const { message, cause } = error instanceof Error ? error : new Error(String(error))
    throw new AdminError(`${url}: ${message}${cause instanceof Error ? `: ${cause.message}` : ''}`)
  }
}
