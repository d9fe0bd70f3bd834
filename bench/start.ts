// Bar S8: `npm start` in a fresh clone of HEAD until the page can be used, then again with everything in place. npm's cache is
// used as it is. A page is usable when it and every script and style that it links to are answered with 200.
import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const FRESH_BAR_S = 30
const WARM_BAR_S = 1.5
const WARM_STARTS = 5
const LOOK_EVERY_MS = 20
const GIVE_UP_MS = 300_000

const project = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'wenqu-start-'))
const clone = join(folder, 'wenqu')
const port = await freePort()
const url = `http://localhost:${port}/`
const env = {
  ...process.env,
  // Only the machine's own commands: a stranger's shell does not have those of our packages.
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => !entry.endsWith(join('node_modules', '.bin')))
    .join(delimiter),
  PORT: String(port),
  // An empty setting counts as absent: the clone has its own embedded database, whatever this shell sets.
  DATA_DIR: '',
  DATABASE_URL: '',
  VITE_DEV_URL: '',
}

let running: ChildProcess | null = null
process.on('exit', () => {
  signalGroup('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

execFileSync('git', ['clone', '--quiet', project, clone], { stdio: 'inherit' })
const fresh = await startAndStop()
const warm: number[] = []
for (let nth = 0; nth < WARM_STARTS; nth++) warm.push(await startAndStop())

const version = (command: string, ...args: string[]): string =>
  execFileSync(command, args, {
    cwd: clone,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
console.log(
  `commit ${version('git', 'rev-parse', '--short', 'HEAD')}, ${cpus().length} cores, ` +
    `the machine's Node ${version('node', '--version')}, npm ${version('npm', '--version')}`,
)
console.table([
  { start: 'fresh clone', seconds: fresh.toFixed(1), bar: `<= ${FRESH_BAR_S}` },
  {
    start: `warm, median of ${WARM_STARTS}`,
    seconds: median(warm).toFixed(2),
    bar: `<= ${WARM_BAR_S}`,
  },
])
console.log(`warm starts, s: ${warm.map((seconds) => seconds.toFixed(2)).join(', ')}`)

/** Returns the seconds from `npm start` to a usable page; the server is stopped afterwards. Throws when it does not come up. */
async function startAndStop(): Promise<number> {
  const began = performance.now()
  // A process group of its own, so that a signal reaches the shell and the server that npm starts.
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running = child
  let said = ''
  for (const output of [child.stdout, child.stderr])
    output.on('data', (bytes: Buffer) => (said += String(bytes)))
  const closed = once(child, 'close')
  while (!(await isUsable())) {
    const ended = child.exitCode !== null || child.signalCode !== null
    if (ended || performance.now() - began > GIVE_UP_MS)
      throw new Error(`npm start brought no page:\n${said}`)
    await sleep(LOOK_EVERY_MS)
  }
  const seconds = (performance.now() - began) / 1000
  signalGroup('SIGTERM')
  await closed
  running = null
  return seconds
}

async function isUsable(): Promise<boolean> {
  try {
    const page = await fetch(url)
    const html = await page.text()
    // Takes the parts of the page, not the targets of its links: some of those are for people who are signed in.
    const linked = [...html.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)="(\/[^"]*)"/g)].map(
      ([, path = '']) => path,
    )
    const answers = await Promise.all(linked.map((path) => isThere(new URL(path, url))))
    return page.ok && linked.some((path) => path.endsWith('.js')) && answers.every(Boolean)
  } catch {
    return false
  }
}

async function isThere(address: URL): Promise<boolean> {
  const response = await fetch(address)
  await response.arrayBuffer()
  return response.ok
}

function signalGroup(signal: NodeJS.Signals): void {
  if (!running?.pid) return
  try {
    process.kill(-running.pid, signal)
  } catch {
    // The whole group has ended already.
  }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: free } = server.address() as AddressInfo
  server.close()
  return free
}
