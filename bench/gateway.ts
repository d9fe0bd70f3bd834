import { parseArgs } from 'node:util'
import { cpuSeconds } from './gateway/cpu.ts'
import { runInProcess } from './gateway/clients-process.ts'
import type { Load, LoadResult } from './gateway/clients-process.ts'
import { startProcess } from './gateway/processes.ts'
import type { BenchProcess } from './gateway/processes.ts'
import { startPortkey } from './gateway/portkey.ts'
import { measureStreams } from './gateway/streams.ts'

// S1 and S2: completions without and in a stream through the gateway with everything on (key, limits, hold, settlement,
// log), beside Portkey's gateway and a bare proxy of node:http and undici, which do none of it. Upstream, gateways and
// clients are processes of their own; only the CPU of the gateways is counted, not that of PostgreSQL.
// Each is warm before it counts: V8 goes on compiling for some thousands of calls.
// `npm run bench:gateway`; on PostgreSQL with DATABASE_URL; S2 of ten minutes with `-- --seconds 600`, of
// the gateway alone with `--through gateway`.

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '10000' },
    at_once: { type: 'string', default: '64' },
    streams: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '30' },
    only: { type: 'string', default: 'S1,alone,S2' },
    through: { type: 'string', default: '' },
  },
})
const [calls, at_once] = [Number(values.calls), Number(values.at_once)]

/** Calls that are not counted. */
const WARM_UP = 10_000

const upstream = await startProcess('upstream', 'upstream.ts')
const targets = [
  await startProcess('bare proxy', 'proxy.ts', { UPSTREAM: upstream.url }),
  await startPortkey(upstream.url),
  await startProcess('gateway, everything on', 'app.ts', { UPSTREAM: upstream.url }),
]

const body = JSON.stringify({
  model: 'scripted-paid',
  max_tokens: 1000,
  messages: [{ role: 'user', content: '源头在哪里？' }],
})

async function measure({ name, pid, url, headers }: BenchProcess, count: number, width: number) {
  const before = cpuSeconds(pid)
  const sent: Load = { url, headers, body, calls: count, at_once: width }
  const result = await runInProcess<Load, LoadResult>('clients.ts', sent)
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

if (values.only.includes('S1')) {
  for (const target of targets) await measure(target, WARM_UP, at_once)
  const rows = []
  for (const target of targets) rows.push(await measure(target, calls, at_once))
  if (values.only.includes('alone')) {
    for (const target of targets) rows.push(await measure(target, Math.min(calls, 1000), 1))
  }
  console.table(rows)
}
if (values.only.includes('S2')) {
  const rows = []
  for (const target of targets.filter(({ name }) => name.includes(values.through))) {
    rows.push(await measureStreams(target, Number(values.streams), Number(values.seconds)))
  }
  console.table(rows)
}

for (const one of [...targets.toReversed(), upstream]) await one.stop()
