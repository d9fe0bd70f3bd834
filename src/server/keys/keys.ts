import { coinsFromMicro } from '../core/coins.ts'
import type { Db } from '../core/database.ts'
import type { Log } from '../core/log.ts'
import { fundsOf } from '../ledger/accounts.ts'
import { makeFirstKey, openApiKeys } from './api-keys.ts'
import { openAuthenticate } from './authenticate.ts'
import { openBearer } from './provision/bearer.ts'
import { openProvisionKeys } from './provision/provision-keys.ts'
import { transactionOf } from './usage/bills.ts'

export type { GatewayKey } from './authenticate.ts'
export type Keys = ReturnType<typeof openKeys>

/** API keys, which call models, and provision keys, which manage API keys. */
export function openKeys({ db, log }: { db: Db; log: Log }) {
  return {
    authenticate: openAuthenticate(db, log),
    /** For calls that a program may make with a provision key. */
    identifyBearer: openBearer(db, log),
    makeFirstKey,
    api: openApiKeys(db),
    provision: openProvisionKeys(db),
    /** Coins. */
    balance: async (user_id: string): Promise<number> => coinsFromMicro((await fundsOf(db, user_id)).balance),
    transaction: (user_id: string, run_id: string) => transactionOf(db, user_id, run_id),
  }
}
