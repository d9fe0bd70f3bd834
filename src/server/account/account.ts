import type { Auth } from '#server/auth/auth.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
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
  organizations: Pick<Organizations, 'get' | 'removeMember'>
  tasks: Tasks
  runs: Pick<Runs, 'cancelAll'>
}
export type Account = ReturnType<typeof createAccount>

/** An account as a whole: taken along, and given up. */
export function createAccount(deps: AccountDeps) {
  const { auth, users, organizations, tasks, runs } = deps
  const limitExports = createRateLimit(EXPORT_LIMIT)

  /** Stops what an account has running; what was produced is charged. */
  const stopWork = async (user_id: string): Promise<void> => {
    for (;;) {
      const { items } = await tasks.listOwn(user_id, { page: 1, size: 100 })
      if (!items.length) break
      for (const { uuid } of items) await tasks.deleteOwn(user_id, uuid)
    }
    await runs.cancelAll(user_id)
  }

  /** One who is alone in an organization leaves it to nobody. Throws AppError last_owner. */
  const leaveOrganization = async (user_id: string): Promise<void> => {
    const { organization } = await users.getInfo(user_id)
    if (!organization) return
    const { uuid: id } = organization
    const { members } = await organizations.get(user_id, id)
    if (members > 1) await organizations.removeMember(user_id, { id, user_id })
  }

  return {
    /** All that is a user's as a ZIP archive, made as it is read. Throws AppError rate_limited. */
    async export(user_id: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
      await limitExports(user_id)
      return createArchiveStream(listExportedFiles(deps, user_id))
    },

    /**
     * Deletes a user with all that is theirs, but for the ledger's account with its bills and orders, which name nobody from
     * then on. Sessions and keys end at once; uploaded files are removed within a day, as everything without a record is.
     * Throws AppError last_owner, and what `auth.confirmOwner` throws.
     */
    async delete(user_id: string, code: string | undefined, request: Request): Promise<void> {
      await auth.confirmOwner(user_id, code, request)
      await leaveOrganization(user_id)
      await stopWork(user_id)
      await auth.deleteUser(user_id)
      // What was begun in between.
      await stopWork(user_id)
    },
  }
}
