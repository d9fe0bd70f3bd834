import { parseArgs } from 'node:util'
import { describeMachine, measureCalls, sendCalls, toMedian } from './gateway/calls.ts'
import type { Row } from './gateway/calls.ts'
import { parseNewApi, startLiteLlm, startPortkey } from './gateway/peers.ts'
import { readServerFlags, startProcess } from './gateway/processes.ts'
import type { BenchProcess } from './gateway/processes.ts'
import { measureStreams } from './gateway/streams.ts'

// S1 and S2: completions without and in a stream through the gateway with everything on (key, limits, hold, settlement, log),
// beside other gateways and a bare proxy of node:http and undici, which do none of it. Upstream, gateways and clients are
// processes of their own; the CPU figures are those of the gateways and of all processes of PostgreSQL, which has to be on this
// machine and serve nobody else meanwhile. Rounds go in turns; each figure is the median of its rounds. Each target is warm
// before it counts: V8 goes on compiling for some thousands of calls.
// `--only chat`: the streams of S2 as questions of the chat.
// `npm run bench:gateway`; on PostgreSQL with DATABASE_URL, else embedded; S2 of ten minutes with `-- --seconds 600`, of the
// gateway alone with `--through gateway`; LiteLLM with `--litellm <its command>`, new-api with `--new-api url,token,pid`.

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '10000' },
    alone: { type: 'string', default: '1000' },
    warm_up: { type: 'string', default: '10000' },
    at_once: { type: 'string', default: '64' },
    rounds: { type: 'string', default: '3' },
    streams: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '30' },
    only: { type: 'string', default: 'S1,alone,S2' },
    through: { type: 'string', default: '' },
    litellm: { type: 'string' },
    'new-api': { type: 'string' },
  },
})
const [calls, atOnce, rounds] = [Number(values.calls), Number(values.at_once), Number(values.rounds)]

const upstream = await startProcess('upstream', 'upstream.ts')
const all = [
  { name: 'bare proxy', start: () => startProcess('bare proxy', 'proxy.ts', { UPSTREAM: upstream.url }) },
  { name: 'Portkey', start: () => startPortkey(upstream.url) },
  {
    name: 'gateway, everything on',
    start: () =>
      startProcess('gateway, everything on', 'app.ts', { UPSTREAM: upstream.url }, readServerFlags()),
  },
]
const targets: BenchProcess[] = []

async function measureRounds(count: number, width: number): Promise<Row[]> {
  const measured = targets.map((): Row[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [nth, target] of targets.entries())
      measured[nth]!.push(await measureCalls(target, count, width))
  }
  return measured.map(toMedian)
}

try {
  for (const { name, start } of all) if (name.includes(values.through)) targets.push(await start())
  if (values.litellm) targets.push(await startLiteLlm(upstream.url, values.litellm))
  if (values['new-api']) targets.push(parseNewApi(values['new-api']))

  console.log(`before: ${describeMachine()}`)
  const parts = values.only.split(',')
  for (const target of targets) await sendCalls(target, Number(values.warm_up), atOnce)
  if (parts.includes('S1')) console.table(await measureRounds(calls, atOnce))
  if (parts.includes('alone')) console.table(await measureRounds(Number(values.alone), 1))
  if (parts.includes('S2')) {
    const rows = []
    for (const target of targets) {
      rows.push(await measureStreams(target, Number(values.streams), Number(values.seconds)))
    }
    console.table(rows)
  }
  if (parts.includes('chat')) {
    const app = targets.find(({ data_dir }) => data_dir !== null)
    if (app)
      console.table([
        await measureStreams(app, Number(values.streams), Number(values.seconds), 'chat-clients.ts'),
      ])
  }
  console.log(`after: ${describeMachine()}`)
} finally {
  for (const one of [...targets.toReversed(), upstream]) await one.stop()
}
