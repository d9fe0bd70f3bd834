import { AdminError, executeAdminCommand } from '#server/admin/admin.ts'
import { sendAdminCommand } from '#server/admin/socket.ts'
import type { AdminResponse } from '#server/admin/socket.ts'
import { readConfig } from '#server/core/config.ts'
import { migrate } from '#server/core/database/migrate.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createLog } from '#server/core/log.ts'

// `npm run admin -- <verb>`: through the running server's socket, or on the database itself when none runs here.

const words = process.argv.slice(2)

async function onDatabase(): Promise<AdminResponse> {
  const { data_dir, database_url } = config
  const database = await openDatabase({ data_dir, database_url, log: createLog('error') })
  try {
    await migrate(database.db)
    return { ok: true, output: await executeAdminCommand(database.db, words) }
  } catch (error) {
    if (error instanceof AdminError) return { ok: false, output: error.message }
    throw error
  } finally {
    await database.close()
  }
}

const config = readConfig(process.env)
const { ok, output } = (await sendAdminCommand(config.data_dir, words)) ?? (await onDatabase())
process.stdout.write(`${output}\n`)
process.exit(ok ? 0 : 1)
