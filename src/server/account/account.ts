import type { Readable } from 'node:stream'
import type { Auth } from '#server/auth/auth.ts'
import type { Db } from '#server/core/database/database.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import { forfeitCoins } from '#server/ledger/ledger.ts'
import type { Organizations } from '#server/organizations/organizations.ts'
import type { Runs } from '#server/runs/runs.ts'
import type { Tasks } from '#server/tasks/tasks.ts'
import { createArchiveStream } from './archive.ts'
import { listExportedFiles } from './export.ts'
import type { Exported } from './export.ts'

/** What can be exported is read from the beginning each time. */
const EXPORT_LIMIT = { points: 5, seconds: 3_600 }

type AccountDeps = Exported & {
  auth: Auth
  db: Db
  organizations: Pick<Organizations, 'requireLeavable' | 'leave'>
  tasks: Tasks
  runs: Pick<Runs, 'cancelAll'>
}
export type Account = ReturnType<typeof createAccount>

/** An account as a whole: taken along, and given up. */
export function createAccount(deps: AccountDeps) {
  const { db, auth, organizations, tasks, runs } = deps
  const limitExports = createRateLimit(EXPORT_LIMIT)

  /** Stops what an account has running; what was produced is charged. */
  const stopWork = async (userId: string): Promise<void> => {
    for (;;) {
      const { items } = await tasks.listOwn(userId, { page: 1, size: 100 })
      if (!items.length) break
      for (const { uuid } of items) await tasks.deleteOwn(userId, uuid)
    }
    await runs.cancelAll(userId)
  }

  return {
    /** All that is a user's as a ZIP archive, made as it is read. Throws AppError rate_limited. */
    async export(userId: string): Promise<Readable> {
      await limitExports(userId)
      return createArchiveStream(listExportedFiles(deps, userId))
    },

    /**
     * Deletes a user with all that is theirs, but for the ledger's account with its bills and orders, which name nobody from
     * then on; its coins go back to the operator. Sessions and keys end at once; uploaded files are removed within a day, as
     * everything without a record is. Whoever cannot go keeps the code. Throws AppError last_owner, organization_busy, and what
     * `auth.confirmOwner` throws.
     */
    async delete(userId: string, code: string | undefined, request: Request): Promise<void> {
      await organizations.requireLeavable(userId)
      await auth.confirmOwner(userId, code, request)
      await stopWork(userId)
      await organizations.leave(userId)
      await auth.deleteUser(userId, (tx) => forfeitCoins(tx, userId))
      // What was begun in between, and what it held.
      await stopWork(userId)
      await db.transaction((tx) => forfeitCoins(tx, userId))
    },
  }
}
