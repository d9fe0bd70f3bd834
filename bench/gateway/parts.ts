import { fork } from 'node:child_process'
import { once } from 'node:events'

/** A process of the benchmark that answers completions at `{url}/v1/chat/completions`, asked with these headers. */
export type Part = {
  name: string
  pid: number
  url: string
  headers: Record<string, string>
  end(): Promise<unknown>
}

/** Starts a process of the benchmark; it says where it listens. */
export async function start(name: string, file: string, env: NodeJS.ProcessEnv = {}): Promise<Part> {
  const child = fork(new URL(file, import.meta.url), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [{ url, headers = {} }] = (await once(child, 'message')) as [Pick<Part, 'url'> & Partial<Part>]
  const end = (): Promise<unknown> => {
    const exit = once(child, 'exit')
    child.disconnect()
    return exit
  }
  return { name, pid: child.pid!, url, headers, end }
}
