import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from './free-port.ts'
import { runStatement } from './postgres.ts'
import { createTestDatabase } from './template.ts'
import { scriptedModels } from './world.ts'

export type AppProcess = {
  url: string
  data_dir: string
  /** The environment of its start. */
  env: NodeJS.ProcessEnv
  /**
   * Dies at once, as in a crash: none of its code runs after that. On PostgreSQL its last sign of life moves a minute into the
   * past, so that its silence is noticed without waiting; with `in_real_time` it does not.
   */
  kill(options?: { in_real_time?: boolean }): Promise<void>
  /** Sends a request to stop and returns the exit code. */
  terminate(): Promise<number | null>
  /** Starts it again on the same data; resolves when it is ready, with the milliseconds that took. */
  start(): Promise<number>
  /** Its output since its last start. */
  output(): string
  close(): Promise<void>
}

/** Runs the app as a process of its own, so that it can be killed. Its models are `scriptedModels`. */
export async function createAppProcess(
  upstreamUrl: string,
  env: Record<string, string> = {},
): Promise<AppProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'wenqu-process-'))
  const database = await createTestDatabase(dataDir)
  const modelsFile = join(dataDir, 'models.json')
  await writeFile(modelsFile, JSON.stringify(scriptedModels(upstreamUrl)))
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const environment: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    NODE_ENV: 'test',
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    MODELS_FILE: modelsFile,
    SCRIPTED_KEY: 'sk-scripted',
    WENQU_OLLAMA: 'off',
    // All people of a test come from one address.
    CODE_TARGETS: '100000',
    SIGNUPS: '100000',
    GIVEN_COINS_TOTAL: '1000000000',
    // A run of its own beside each first answer would take the scripts of the answers.
    TITLE_MODEL: 'off',
    AGENTS_FILE: 'off',
    EMBEDDING_MODEL: 'off',
    RERANK_MODEL: 'off',
    LOG_LEVEL: 'warn',
    ...(database ? { DATABASE_URL: database.url } : {}),
    ...env,
  }
  let child: ChildProcess | null = null
  let output = ''

  const app: AppProcess = {
    env: environment,
    url,
    data_dir: dataDir,
    output: () => output,
    async start() {
      const startedAt = performance.now()
      output = ''
      child = spawn(process.execPath, ['src/server/main.ts'], {
        env: environment,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const appendOutput = (piece: Buffer): void => {
        output += piece.toString()
      }
      child.stdout?.on('data', appendOutput)
      child.stderr?.on('data', appendOutput)
      while (!(await isReady(url))) {
        if (child.exitCode !== null) throw new Error(`the app ended while starting:\n${output}`)
        await sleep(20)
      }
      return performance.now() - startedAt
    },
    async kill({ in_real_time = false } = {}) {
      await stopChild(child, 'SIGKILL')
      if (database && !in_real_time) {
        await runStatement(database.url, "UPDATE run_hosts SET seen_at = seen_at - interval '1 minute'")
        await runStatement(database.url, "UPDATE tasks SET seen_at = seen_at - interval '1 minute'")
      }
    },
    terminate: () => stopChild(child, 'SIGTERM'),
    async close() {
      await stopChild(child, 'SIGKILL')
      await database?.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return app
}

async function stopChild(child: ChildProcess | null, signal: NodeJS.Signals): Promise<number | null> {
  if (child && child.exitCode === null && child.signalCode === null) {
    child.kill(signal)
    await once(child, 'exit')
  }
  return child?.exitCode ?? null
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
