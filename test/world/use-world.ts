import { beforeAll } from 'vitest'
import { expectLedgerInvariants } from '../ledger/invariants.ts'
import { startWorld } from './world.ts'
import type { World, WorldOptions } from './world.ts'

type Env = Record<string, string>
export type UseWorldOptions = Omit<WorldOptions, 'env'> & {
  /** A function where the settings are known only once something else has started. */
  env?: Env | (() => Env | Promise<Env>)
}

/**
 * The real app for the tests of one file or `describe`, to be used inside tests and hooks. It starts before them; after
 * the last one the ledger must balance, then all of it is closed.
 */
export function useWorld({ env = {}, ...options }: UseWorldOptions = {}): World {
  return useResource(
    async () => startWorld({ ...options, env: typeof env === 'function' ? await env() : env }),
    async (world) => {
      try {
        await expectLedgerInvariants(world.db())
      } finally {
        await world.close()
      }
    },
  )
}

/** A value that `beforeAll` creates; `close` is called with it after the last test. */
export function useResource<T extends object>(
  create: () => Promise<T>,
  close: (value: T) => Promise<void> = async () => {},
): T {
  let value: T | undefined
  beforeAll(async () => {
    const created = await create()
    value = created
    return () => close(created)
  })
  return new Proxy({} as T, {
    get(_, key) {
      if (!value) throw new Error(`"${String(key)}" exists from beforeAll on: use it inside tests and hooks`)
      return Reflect.get(value, key)
    },
  })
}
