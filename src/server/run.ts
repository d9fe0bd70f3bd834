import { flushCompileCache } from 'node:module'
import type { Worker } from 'node:worker_threads'
import { ConfigError } from '#server/core/settings/config-error.ts'
import { readConfig } from '#server/core/config.ts'
import { createLog } from '#server/core/log.ts'
import { openDatabase } from '#server/core/database/open-database.ts'
import { DatabaseOpenError } from '#server/core/database/open-error.ts'

/** Longest duration of a stop, ms; runs cut off by it are settled at the next start. */
const STOP_MS = 10_000

/** Returns one sentence, without a stack, about problems of the environment; null for others. */
function explainStartError(error: unknown): string | null {
  if (error instanceof ConfigError || error instanceof DatabaseOpenError) return error.message
  if (error instanceof Error && error.name === 'CatalogueError') {
    return `模型配置文件有误，请检查 MODELS_FILE / the models file is invalid: ${error.message}`
  }
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') {
    return `端口 ${port} 已被占用，请用 PORT 换一个端口 / port ${port} is in use, set PORT to another one`
  }
  return null
}

/** Runs the server until it receives a signal, then ends the process. `thread` waits for the embedded database's directory. */
export async function run(thread?: Worker): Promise<void> {
  try {
    const config = readConfig(process.env)
    const log = createLog(config.log_level)
    // The database opens while all other code is loaded.
    const opening = openDatabase({ ...config, log, onLost: () => process.exit(1), thread })
    opening.catch(() => {})
    const { startServer } = await import('./start.ts')
    const server = await startServer({ config, log, env: process.env, opening })
    process.stdout.write(`\n  问渠已启动 / Wenqu is running: ${config.app_url}\n\n`)
    // Node writes it only at a normal exit; after a kill, the next start should be fast too.
    flushCompileCache()

    let stopping = false
    const stop = (signal: string): void => {
      if (stopping) return
      stopping = true
      log.info({ signal }, 'stopping')
      setTimeout(() => process.exit(1), STOP_MS).unref()
      void server.close().then(() => process.exit(0))
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  } catch (error) {
    process.stderr.write(`${explainStartError(error) ?? (error as Error).stack}\n`)
    process.exit(1)
  }
}
