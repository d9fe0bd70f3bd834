import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#server/core/config.ts'
import { createLog } from '#server/core/log.ts'
import { startServer } from '#server/start.ts'
import { createClient } from '#test/world/client.ts'
import { createPostgresDatabase } from '#test/world/postgres.ts'
import { signIn } from '#test/world/sign-in.ts'
import { scriptedModels } from '#test/world/world.ts'
import { findDatabaseProcess, readDatabaseFigures } from './database.ts'
import type { Listening } from './processes.ts'

// The app as it is in production, on an empty database, with an account and its key. Ends with its parent.

const dataDir = mkdtempSync(join(tmpdir(), 'wenqu-bench-'))
const modelsFile = join(dataDir, 'models.json')
writeFileSync(modelsFile, JSON.stringify(scriptedModels(`${process.env.UPSTREAM}/v1`)))
const database = await createPostgresDatabase(process.env.DATABASE_URL)
const env = {
  NODE_ENV: 'production',
  APP_SECRET: 'a secret of a benchmark, 32 characters long',
  PORT: '0',
  HOST: '127.0.0.1',
  DATA_DIR: dataDir,
  MODELS_FILE: modelsFile,
  SCRIPTED_KEY: 'k',
  WENQU_OLLAMA: 'off',
  SIGNUP_COINS: '1000000',
  GIVEN_COINS_TOTAL: '1000000000',
  CODE_TARGETS: '1000',
  SIGNUPS: '1000',
  ...(database ? { DATABASE_URL: database.url } : {}),
}
const log = createLog('info')
const server = await startServer({ config: readConfig(env), log, env })

const client = createClient(() => server.url)
await signIn(client, 'bench@example.com', dataDir)
const limits = { requests_per_minute: 1_000_000, tokens_per_minute: 1_000_000_000, credit_limit: 1_000_000 }
const { raw_value } = await client.call('POST /api/api_keys', { body: { name: 'bench', ...limits } })
process.on('message', () => {
  void readDatabaseFigures(server.database).then((figures) => process.send?.(figures))
})
process.send?.({
  url: server.url,
  headers: { authorization: `Bearer ${raw_value}` },
  database_pid: await findDatabaseProcess(server.database),
  data_dir: dataDir,
} satisfies Listening)

await once(process, 'disconnect')
await server.close()
await database?.drop()
rmSync(dataDir, { recursive: true })
