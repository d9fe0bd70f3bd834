import { executeAdminCommand } from '#server/admin/admin.ts'
import { AdminError } from '#server/admin/admin-error.ts'
import { executeModelsCommand } from '#server/admin/models/models.ts'
import { sendAdminCommand } from '#server/admin/socket.ts'
import type { AdminResponse } from '#server/admin/socket.ts'
import { createCredit } from '#server/commerce/credit/credit.ts'
import { readConfig } from '#server/core/config.ts'
import { migrate } from '#server/core/database/migrate.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import { createLog } from '#server/core/log.ts'
import { createMailer } from '#server/core/mail.ts'

// `npm run admin -- <verb>` works through the running server's socket, or on the database itself when no server runs here;
// `models` works on MODELS_FILE, which a running server reads again by itself.

const words = process.argv.slice(2)

async function report(command: () => Promise<string>): Promise<AdminResponse> {
  try {
    return { ok: true, output: await command() }
  } catch (error) {
    if (error instanceof AdminError) return { ok: false, output: error.message }
    throw error
  }
}

async function onDatabase(): Promise<AdminResponse> {
  const { data_dir, database_url } = config
  const log = createLog('error')
  const database = await openDatabase({ data_dir, database_url, log })
  try {
    await migrate(database.db)
    const { db } = database
    const credit = createCredit({ db, config, log, mailer: createMailer(config, log) })
    return await report(() => executeAdminCommand({ db, credit }, words))
  } finally {
    await database.close()
  }
}

const config = readConfig(process.env)
const onModels = () =>
  report(() => executeModelsCommand({ words: words.slice(1), file: config.models_file, env: process.env }))
const { ok, output } =
  words[0] === 'models'
    ? await onModels()
    : ((await sendAdminCommand(config.data_dir, words)) ?? (await onDatabase()))
process.stdout.write(`${output}\n`)
process.exit(ok ? 0 : 1)
