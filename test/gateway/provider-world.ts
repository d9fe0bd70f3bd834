import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { expectLedgerInvariants } from '../ledger/invariants.ts'
import { startUpstream } from '../world/upstream/upstream.ts'
import type { Upstream } from '../world/upstream/upstream.ts'
import { startWorld } from '../world/world.ts'
import type { World } from '../world/world.ts'
import { createCaller } from './caller.ts'
import type { Caller } from './caller.ts'

/** A model of each dialect; the names say what the rules for versions go by. */
export const MODELS = {
  openai: 'deepseek-script',
  anthropic: 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-script',
} as const
export type ProviderName = keyof typeof MODELS
export const PROVIDERS = Object.keys(MODELS) as ProviderName[]

/** A Claude that thinks as it sees fit. */
export const ADAPTIVE_THINKING_MODEL = 'claude-opus-4-6'

/**
 * The world of one test file, for its top level: models of every dialect, served by one upstream that speaks them all,
 * and a program that calls. After the last test the ledger is looked over and all of it closed.
 */
export async function useProviderWorld(): Promise<{ world: World; upstream: Upstream; caller: Caller }> {
  const upstream = await startUpstream()
  const folder = await mkdtemp(join(tmpdir(), 'wenqu-dialects-'))
  const MODELS_FILE = join(folder, 'models.json')
  const capabilities = ['tools', 'reasoning']
  const models = PROVIDERS.map((dialect) => ({ id: MODELS[dialect], dialect, capabilities }))
  const more = [
    { id: ADAPTIVE_THINKING_MODEL, dialect: 'anthropic' as const, capabilities },
    { id: 'plain', capabilities: [] },
  ]
  await writeFile(MODELS_FILE, upstream.renderModelsFile(...models, ...more))
  const world = await startWorld({ env: { MODELS_FILE } })
  afterAll(async () => {
    await expectLedgerInvariants(world.db())
    await world.close()
    await upstream.close()
    await rm(folder, { recursive: true, force: true })
  })
  return { world, upstream, caller: await createCaller(world) }
}
