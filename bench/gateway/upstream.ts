import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

// Answers every call at once with about 1.5 kB of text, in a stream if requested.

const TEXT = '问渠那得清如许，为有源头活水来。'.repeat(30)
const usage = { prompt_tokens: 12, completion_tokens: 300, total_tokens: 312 }
const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`
const STREAM = [
  event({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] }),
  event({ choices: [{ index: 0, delta: { content: TEXT } }] }),
  event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  event({ choices: [], usage }),
  'data: [DONE]\n\n',
].join('')
const message = { role: 'assistant', content: TEXT }
const WHOLE = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage })

/** Sends a chunk ten times a second, each with the time of its writing and its number. */
async function streamSlowly(response: ServerResponse, chunks: number): Promise<void> {
  const head = { id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1, model: 'scripted-paid' }
  const chunk = (delta: object, finishReason: string | null = null): string =>
    event({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }] })
  // Spreads out streams that began together.
  await sleep(Math.random() * 100)
  response.write(chunk({ role: 'assistant', content: '' }))
  for (let nth = 0; nth < chunks && !response.destroyed; nth++) {
    const now = (performance.timeOrigin + performance.now()).toFixed(2)
    response.write(chunk({ content: `${now}:${nth} ` }))
    await sleep(100)
  }
  response.end(chunk({}, 'stop') + event({ ...head, choices: [], usage }) + 'data: [DONE]\n\n')
}

const server = createServer((request, response) => {
  void text(request).then((body) => {
    const streams = /"stream": ?true/.test(body)
    response.writeHead(200, { 'content-type': streams ? 'text/event-stream' : 'application/json' })
    const chunks = /chunks (\d+)/.exec(body)?.[1]
    if (streams && chunks) void streamSlowly(response, Number(chunks))
    else response.end(streams ? STREAM : WHOLE)
  })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ url: `http://127.0.0.1:${port}` })
})
process.on('disconnect', () => process.exit())
