import { fork } from 'node:child_process'
import { once } from 'node:events'

/** A process of the benchmark that answers completions at `{url}/v1/chat/completions`, asked with these headers. */
export type BenchProcess = {
  name: string
  pid: number
  url: string
  headers: Record<string, string>
  stop(): Promise<unknown>
}

/** Starts a process of the benchmark; it says where it listens. */
export async function startProcess(
  name: string,
  file: string,
  env: NodeJS.ProcessEnv = {},
): Promise<BenchProcess> {
  const child = fork(new URL(file, import.meta.url), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [{ url, headers = {} }] = (await once(child, 'message')) as [
    Pick<BenchProcess, 'url'> & Partial<BenchProcess>,
  ]
  const stop = (): Promise<unknown> => {
    const exit = once(child, 'exit')
    child.disconnect()
    return exit
  }
  return { name, pid: child.pid!, url, headers, stop }
}
