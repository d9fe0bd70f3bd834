import { once } from 'node:events'
import { Pool } from 'undici'
import type { Load, LoadResult } from './clients-process.ts'

const [{ url, headers, body, calls, at_once }] = (await once(process, 'message')) as [Load]
const pool = new Pool(url, { connections: at_once, pipelining: 1 })
const sent = { ...headers, 'content-type': 'application/json' }
const durations: number[] = []
let [next, failed] = [0, 0]

async function sendCalls(): Promise<void> {
  while (next++ < calls) {
    const begun = performance.now()
    const answer = await pool.request({ method: 'POST', path: '/v1/chat/completions', headers: sent, body })
    const text = await answer.body.text()
    if (answer.statusCode !== 200 || !text.includes('活水')) failed += 1
    durations.push(performance.now() - begun)
  }
}

const begun = performance.now()
await Promise.all(Array.from({ length: at_once }, sendCalls))
const seconds = (performance.now() - begun) / 1000
const sorted = durations.sort((a, b) => a - b)
const quantile = (share: number): number => Number(sorted[Math.floor(sorted.length * share)]!.toFixed(2))
const result: LoadResult = { seconds, p50_ms: quantile(0.5), p99_ms: quantile(0.99), failed }
process.send?.(result)
await pool.close()
