import { once } from 'node:events'
import { Pool } from 'undici'
import type { Heard, Streams } from './streams.ts'

// Reads streams whose chunks say in their text when the upstream wrote them and which they are: "{ms}:{number} ".

const [{ url, headers, streams, chunks }] = (await once(process, 'message')) as [Streams]
const pool = new Pool(url, { connections: streams, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 })
const body = JSON.stringify({
  model: 'scripted-paid',
  max_tokens: 8000,
  stream: true,
  messages: [{ role: 'user', content: `chunks ${chunks}` }],
})
const sent = { ...headers, 'content-type': 'application/json' }
const late: number[] = []
let [heard, wrong, broken] = [0, 0, 0]

async function one(): Promise<void> {
  const answer = await pool.request({ method: 'POST', path: '/v1/chat/completions', headers: sent, body })
  let [next, done, rest] = [0, false, '']
  for await (const bytes of answer.body) {
    const now = performance.timeOrigin + performance.now()
    const lines = (rest + String(bytes)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === 'data: [DONE]') done = true
      const said = /"content":"([\d.]+):(\d+) "/.exec(line)
      if (!said) continue
      heard += 1
      late.push(now - Number(said[1]))
      if (Number(said[2]) !== next) wrong += 1
      next = Number(said[2]) + 1
    }
  }
  wrong += Math.max(0, chunks - next)
  if (!done) broken += 1
}

await Promise.all(Array.from({ length: streams }, one))
const sorted = Float64Array.from(late).sort()
const at = (share: number): number => Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1))
const result: Heard = { chunks: heard, wrong, broken, p50_ms: at(0.5), p99_ms: at(0.99) }
process.send?.(result)
await pool.close()
