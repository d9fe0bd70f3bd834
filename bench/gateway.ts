import { fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { load } from './gateway/load.ts'
import { cpuSeconds } from './gateway/cpu.ts'

// S1: completions of 1.5 kB without a stream through the gateway with everything on (key, limits, hold, settlement, log),
// beside a bare proxy of node:http and undici that does none of it. Upstream, proxy, gateway and clients are processes
// of their own; the clients' CPU is not counted. `node bench/gateway.ts`; on PostgreSQL with DATABASE_URL.

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '6000' },
    at_once: { type: 'string', default: '64' },
  },
})
const [calls, at_once] = [Number(values.calls), Number(values.at_once)]

type Part = { pid: number; url: string; key: string; end(): Promise<unknown> }

/** Starts a process of the benchmark; it says where it listens. */
async function start(file: string, env: NodeJS.ProcessEnv = {}): Promise<Part> {
  const child = fork(new URL(`gateway/${file}`, import.meta.url), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [{ url, key = '' }] = (await once(child, 'message')) as [{ url: string; key?: string }]
  const end = (): Promise<unknown> => {
    const exit = once(child, 'exit')
    child.disconnect()
    return exit
  }
  return { pid: child.pid!, url, key, end }
}

const upstream = await start('upstream.ts')
const proxy = await start('proxy.ts', { UPSTREAM: upstream.url })
const app = await start('app.ts', { UPSTREAM: upstream.url })

const body = JSON.stringify({
  model: 'scripted-paid',
  max_tokens: 1000,
  messages: [{ role: 'user', content: '源头在哪里？' }],
})
const targets = [
  { name: 'bare proxy', ...proxy },
  { name: 'gateway, everything on', ...app },
]

async function measure({ name, pid, url, key }: (typeof targets)[number], count: number, width: number) {
  const before = cpuSeconds(pid)
  const result = await load({ url, key, body, calls: count, at_once: width })
  const cpu = cpuSeconds(pid) - before
  return {
    through: name,
    'at once': width,
    'requests/s': Math.round(count / result.seconds),
    'requests/s per core': Math.round(count / cpu),
    'CPU ms/request': Number(((cpu * 1000) / count).toFixed(3)),
    'p50 ms': result.p50_ms,
    'p99 ms': result.p99_ms,
    failed: result.failed,
  }
}

for (const target of targets) await measure(target, Math.min(calls, 2000), at_once)
const rows = []
for (const target of targets) rows.push(await measure(target, calls, at_once))
for (const target of targets) rows.push(await measure(target, Math.min(calls, 1000), 1))
console.table(rows)

for (const one of [app, proxy, upstream]) await one.end()
