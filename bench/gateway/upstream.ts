import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

// Answers every call at once with about 1.5 kB of text, in a stream where one is asked for.

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

const server = createServer((request, response) => {
  void text(request).then((body) => {
    const streams = body.includes('"stream":true')
    response.writeHead(200, { 'content-type': streams ? 'text/event-stream' : 'application/json' })
    response.end(streams ? STREAM : WHOLE)
  })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ url: `http://127.0.0.1:${port}` })
})
process.on('disconnect', () => process.exit())
