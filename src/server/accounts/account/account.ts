import type { Readable } from 'node:stream'
import type { Auth } from '#server/accounts/auth/auth.ts'
import type { Db } from '#server/core/database/database.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import { forfeitCoins } from '#server/ledger/ledger.ts'
import type { Organizations } from '#server/accounts/organizations/organizations.ts'
import type { Runs } from '#server/runs/runs.ts'
import type { Tasks } from '#server/tasks/tasks.ts'
import { createArchiveStream } from './archive.ts'
import { listArchiveFiles } from './archive-parts.ts'
import type { ArchivePart } from './archive-parts.ts'
import type { Users } from '#server/accounts/users/users.ts'

export { ARCHIVE_PAGE_SIZE, listPages, toJson, writeList, writeText } from './archive-parts.ts'
export type { ArchivePart } from './archive-parts.ts'

/** Strict, because each export reads everything again. */
const EXPORT_LIMIT = { points: 5, seconds: 3_600 }

type AccountDeps = {
  users: Users
  /** The parts of the archive that features add. */
  listArchiveParts: () => readonly ArchivePart[]
  auth: Auth
  db: Db
  organizations: Pick<Organizations, 'requireLeavable' | 'leave'>
  tasks: Tasks
  runs: Pick<Runs, 'cancelAll'>
}
export type Account = ReturnType<typeof createAccount>

/** Exports and deletes whole accounts. */
export function createAccount(deps: AccountDeps) {
  const { db, auth, users, listArchiveParts, organizations, tasks, runs } = deps
  const limitExports = createRateLimit(EXPORT_LIMIT)

  /** Stops an account's tasks and runs; output produced so far is charged. */
  const stopWork = async (userId: string): Promise<void> => {
    for (;;) {
      const { items } = await tasks.listOwn(userId, { page: 1, size: 100 })
      if (!items.length) break
      for (const { uuid } of items) await tasks.deleteOwn(userId, uuid)
    }
    await runs.cancelAll(userId)
  }

  return {
    /** Exports all of a user's data as a ZIP archive, built while it is read. Throws AppError rate_limited. */
    async export(userId: string): Promise<Readable> {
      await limitExports(userId)
      return createArchiveStream(listArchiveFiles(users, listArchiveParts(), userId))
    },

    /**
     * Deletes a user with all data, except the ledger's account with its bills and orders, which become anonymous; remaining
     * coins go back to the operator. Sessions and keys end at once; uploaded files are removed within a day, as all files without
     * a record. A refusal does not use up the code. Throws AppError last_owner, organization_busy, and the errors of
     * `auth.confirmOwner`.
     */
    async delete(userId: string, code: string | undefined, request: Request): Promise<void> {
      await organizations.requireLeavable(userId)
      await auth.confirmOwner(userId, code, request)
      await stopWork(userId)
      await organizations.leave(userId)
      await auth.deleteUser(userId, (tx) => forfeitCoins(tx, userId))
      // Stops work that was started in between, and takes the coins that it held.
      await stopWork(userId)
      await db.transaction((tx) => forfeitCoins(tx, userId))
    },
  }
}
