import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { BenchProcess } from './processes.ts'

const FOLDER = fileURLToPath(new URL('../peers/portkey/', import.meta.url))
const SERVER = `${FOLDER}node_modules/@portkey-ai/gateway/build/start-server.js`

/** Starts Portkey's gateway in front of an upstream; installs it the first time. */
export async function startPortkey(upstream: string): Promise<BenchProcess> {
  if (!existsSync(SERVER)) {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], { cwd: FOLDER })
  }
  const port = await freePort()
  const child = spawn(process.execPath, [SERVER, `--port=${port}`, '--headless'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const url = `http://127.0.0.1:${port}`
  while (!(await answers(url))) await sleep(100)
  const stop = (): Promise<unknown> => {
    const exit = once(child, 'exit')
    child.kill()
    return exit
  }
  const headers = {
    authorization: 'Bearer k',
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `${upstream}/v1`,
  }
  return { name: 'Portkey 1.15.2', pid: child.pid!, url, headers, stop }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )
