import { once } from 'node:events'
import { Pool } from 'undici'
import type { StreamStats, StreamLoad } from './streams.ts'

// Reads streams whose chunks say in their text when the upstream wrote them and which they are: "{ms}:{number} ".

const [{ url, headers, streams, chunks }] = (await once(process, 'message')) as [StreamLoad]
const pool = new Pool(url, { connections: streams, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 })
const body = JSON.stringify({
  model: 'scripted-paid',
  max_tokens: 8000,
  stream: true,
  messages: [{ role: 'user', content: `chunks ${chunks}` }],
})
const sent = { ...headers, 'content-type': 'application/json' }
const latencies: number[] = []
let [received, wrong, broken] = [0, 0, 0]

async function readStream(): Promise<void> {
  const answer = await pool.request({ method: 'POST', path: '/v1/chat/completions', headers: sent, body })
  let [next, done, rest] = [0, false, '']
  for await (const bytes of answer.body) {
    const now = performance.timeOrigin + performance.now()
    const lines = (rest + String(bytes)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === 'data: [DONE]') done = true
      const match = /"content":"([\d.]+):(\d+) "/.exec(line)
      if (!match) continue
      received += 1
      latencies.push(now - Number(match[1]))
      if (Number(match[2]) !== next) wrong += 1
      next = Number(match[2]) + 1
    }
  }
  wrong += Math.max(0, chunks - next)
  if (!done) broken += 1
}

await Promise.all(Array.from({ length: streams }, readStream))
const sorted = Float64Array.from(latencies).sort()
const quantile = (share: number): number =>
  Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1))
const result: StreamStats = { chunks: received, wrong, broken, p50_ms: quantile(0.5), p99_ms: quantile(0.99) }
process.send?.(result)
await pool.close()
