import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startUpstream } from '../upstream.ts'
import type { Upstream } from '../upstream.ts'
import { openWorld } from '../world.ts'
import type { World } from '../world.ts'

/** A model of each dialect; the names say what the rules for versions go by. */
export const MODELS = {
  openai: 'deepseek-script',
  anthropic: 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-script',
} as const
export type DialectName = keyof typeof MODELS
export const DIALECTS = Object.keys(MODELS) as DialectName[]

/** A Claude that thinks as it sees fit. */
export const ADAPTIVE = 'claude-opus-4-6'

/** A world whose models are served in every dialect, by one upstream that speaks them all. */
export async function openDialects(): Promise<{
  world: World
  upstream: Upstream
  close: () => Promise<void>
}> {
  const upstream = await startUpstream()
  const folder = await mkdtemp(join(tmpdir(), 'wenqu-dialects-'))
  const MODELS_FILE = join(folder, 'models.json')
  const capabilities = ['tools', 'reasoning']
  const models = DIALECTS.map((dialect) => ({ id: MODELS[dialect], dialect, capabilities }))
  const more = [
    { id: ADAPTIVE, dialect: 'anthropic' as const, capabilities },
    { id: 'plain', capabilities: [] },
  ]
  await writeFile(MODELS_FILE, upstream.modelsFile(...models, ...more))
  const world = await openWorld({ env: { MODELS_FILE } })
  const close = async (): Promise<void> => {
    await world.close()
    await upstream.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { world, upstream, close }
}
