import { once } from 'node:events'
import { Pool } from 'undici'
import { createTally } from './tally.ts'
import type { StreamLoad } from './streams.ts'

// Reads streams of the gateway, or of another one.

const [{ url, headers, streams, chunks }] = (await once(process, 'message')) as [StreamLoad]
const pool = new Pool(url, { connections: streams, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 })
const body = JSON.stringify({
  model: 'scripted-paid',
  max_tokens: 8000,
  stream: true,
  messages: [{ role: 'user', content: `chunks ${chunks}` }],
})
const sent = { ...headers, 'content-type': 'application/json' }
const tally = createTally(chunks)

async function readStream(): Promise<void> {
  const answer = await pool.request({ method: 'POST', path: '/v1/chat/completions', headers: sent, body })
  const stream = tally.open()
  let rest = ''
  for await (const bytes of answer.body) {
    const lines = (rest + String(bytes)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === 'data: [DONE]') stream.end()
      stream.read(/"content":"([^"]*)"/.exec(line)?.[1] ?? '')
    }
  }
  stream.close()
}

await Promise.all(Array.from({ length: streams }, readStream))
process.send?.(tally.result())
await pool.close()
