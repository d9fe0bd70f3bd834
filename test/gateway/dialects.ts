import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { expectSound } from '../ledger-soundness.ts'
import { startUpstream } from '../upstream.ts'
import type { Upstream } from '../upstream.ts'
import { openWorld } from '../world.ts'
import type { World } from '../world.ts'
import { openCaller } from './caller.ts'
import type { Caller } from './caller.ts'

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

/**
 * The world of one test file, for its top level: models of every dialect, served by one upstream that speaks them all,
 * and a program that calls. After the last test the ledger is looked over and all of it closed.
 */
export async function setDialects(): Promise<{ world: World; upstream: Upstream; caller: Caller }> {
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
  afterAll(async () => {
    await expectSound(world.db())
    await world.close()
    await upstream.close()
    await rm(folder, { recursive: true, force: true })
  })
  return { world, upstream, caller: await openCaller(world) }
}
