import { toCoins } from '#server/core/coins.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Log } from '#server/core/log.ts'
import { getFunds } from '#server/ledger/ledger.ts'
import { createFirstKey, createApiKeys } from './api-keys.ts'
import { createAuthenticate, createBearerIdentify } from './authenticate.ts'
import { createProvisionKeys } from './provision-keys.ts'
import { getTransaction } from './usage/usage.ts'

export type { GatewayKey } from './authenticate.ts'
export type Keys = ReturnType<typeof createKeys>

/** API keys, which call models, and provision keys, which manage API keys. */
export function createKeys({ db, log }: { db: Db; log: Log }) {
  return {
    authenticate: createAuthenticate(db, log),
    /** For calls that a program may make with a provision key. */
    identifyByBearer: createBearerIdentify(db, log),
    makeFirstKey: createFirstKey,
    api: createApiKeys(db),
    provision: createProvisionKeys(db),
    /** Coins. */
    getBalance: async (userId: string): Promise<number> => toCoins((await getFunds(db, userId)).balance),
    getTransaction: (userId: string, runId: string) => getTransaction(db, userId, runId),
  }
}
