import { fork, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseFigures } from './database.ts'

/** A process of the benchmark that answers completions at `{url}/v1/chat/completions`, for requests with these headers. */
export type BenchProcess = {
  name: string
  pid: number
  url: string
  headers: Record<string, string>
  /** Parent of all processes of its database; null where it has none, or an embedded one. */
  database_pid: number | null
  /** The app's data folder; null for other processes. */
  data_dir: string | null
  readDatabase(): Promise<DatabaseFigures>
  stop(): Promise<unknown>
}

/** A process's message once it listens. */
export type Listening = Pick<BenchProcess, 'url'> &
  Partial<Pick<BenchProcess, 'headers' | 'database_pid' | 'data_dir'>>

const NO_FIGURES: DatabaseFigures = { wal_bytes: 0, row_writes: 0 }

/** Returns the flags that `npm start` gives to the server's Node. */
export function readServerFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } }
  const [, flags] = / node ((?:--\S+ )*)src\/server\/main\.ts/.exec(scripts.start) ?? []
  if (flags === undefined) throw new Error('npm start does not start the server as it did')
  return flags.split(' ').filter(Boolean)
}

/** Starts a process of the benchmark, which reports where it listens; one with a database also reports its writes on request. */
export async function startProcess(
  name: string,
  file: string,
  env: NodeJS.ProcessEnv = {},
  flags: string[] = [],
): Promise<BenchProcess> {
  const child = fork(new URL(file, import.meta.url), {
    execArgv: flags,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  process.once('exit', () => child.kill())
  const exited = once(child, 'exit').then(() => {
    throw new Error(`${name} ended with ${child.exitCode} before it listened`)
  })
  const [{ url, headers = {}, database_pid, data_dir = null }] = (await Promise.race([
    once(child, 'message'),
    exited,
  ])) as [Listening]
  const stop = (): Promise<unknown> => {
    const exit = once(child, 'exit')
    child.disconnect()
    return exit
  }
  const readDatabase = async (): Promise<DatabaseFigures> => {
    if (database_pid === undefined) return NO_FIGURES
    const answer = once(child, 'message') as Promise<[DatabaseFigures]>
    child.send('database')
    return (await answer)[0]
  }
  const own = { url, headers, database_pid: database_pid ?? null, data_dir }
  return { name, pid: child.pid!, ...own, readDatabase, stop }
}

type Peer = { name: string; command: string; args: string[]; env?: NodeJS.ProcessEnv } & Pick<
  BenchProcess,
  'url' | 'headers'
>

/** Starts another project's gateway, and waits until it listens. */
export async function startPeer({ name, command, args, env, url, headers }: Peer): Promise<BenchProcess> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', ...env },
  })
  process.once('exit', () => child.kill())
  while (!(await isListening(url))) {
    if (hasEnded(child)) throw new Error(`${name} ended with ${child.exitCode}`)
    await sleep(100)
  }
  const stop = async (): Promise<void> => {
    if (hasEnded(child)) return
    const exit = once(child, 'exit')
    child.kill()
    await exit
  }
  const readDatabase = (): Promise<DatabaseFigures> => Promise.resolve(NO_FIGURES)
  return { name, pid: child.pid!, url, headers, database_pid: null, data_dir: null, readDatabase, stop }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

const isListening = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )
