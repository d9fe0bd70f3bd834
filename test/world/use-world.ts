import { afterEach, beforeAll } from 'vitest'
import { expectLedgerInvariants } from '../ledger/invariants.ts'
import { createAppProcess } from './app-process.ts'
import type { AppProcess } from './app-process.ts'
import { createClient } from './client.ts'
import type { Client } from './client.ts'
import { signIn } from './sign-in.ts'
import { startUpstream } from './upstream/upstream.ts'
import type { Upstream } from './upstream/upstream.ts'
import { startWorld } from './world.ts'
import type { World, WorldOptions } from './world.ts'

type Env = Record<string, string>
export type UseWorldOptions = Omit<WorldOptions, 'env'> & {
  /** A function where the settings are known only after another start. */
  env?: Env | (() => Env | Promise<Env>)
}

let defaultWorld: Promise<World> | undefined

/**
 * The real app with the settings of tests, to be used inside tests and hooks. One serves all files of a worker: like people,
 * tests are kept apart by accounts of their own. After the last test of a file the ledger must balance.
 */
export function useWorld(): World {
  return useStrictUpstream(
    async () => {
      defaultWorld ??= startWorld()
      const world = await defaultWorld
      world.upstream.reset()
      return world
    },
    (world) => expectLedgerInvariants(world.db()),
  )
}

/** Starts an app for one file or `describe`: with other settings, or to be stopped. It is closed after the last test. */
export function useOwnWorld({ env = {}, ...options }: UseWorldOptions = {}): World {
  return useStrictUpstream(
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

export type StartedProcess = AppProcess & { upstream: Upstream; user(email: string): Promise<Client> }

/** Starts the app as a process of its own (see `createAppProcess`) with its upstream, as `useOwnWorld` starts a world. */
export const useAppProcess = (env?: Env): StartedProcess =>
  useStrictUpstream(
    async () => {
      const upstream = await startUpstream()
      const app = await createAppProcess(upstream.url, env)
      await app.start()
      const user = async (email: string): Promise<Client> => {
        const client = createClient(() => app.url)
        await signIn(client, email, app.data_dir)
        return client
      }
      return { ...app, upstream, user }
    },
    async (app) => {
      await app.close()
      await app.upstream.close()
    },
  )

/** Creates a resource whose platforms may refuse no call of a test, unless it calls `upstream.expectRefusal()`. */
function useStrictUpstream<T extends { upstream: Upstream }>(
  create: () => Promise<T>,
  close: (value: T) => Promise<void>,
): T {
  const resource = useResource(create, close)
  afterEach(() => resource.upstream.checkRefusals())
  return resource
}

/** Returns a value that `beforeAll` creates; `close` is called with it after the last test. */
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
