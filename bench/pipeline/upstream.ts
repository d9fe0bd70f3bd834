import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// An upstream in a process of its own that answers every call at once with about 1.5 kB of text in a stream.

const TEXT = '问渠那得清如许，为有源头活水来。'.repeat(30)
const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`
const BODY = [
  event({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] }),
  event({ choices: [{ index: 0, delta: { content: TEXT } }] }),
  event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  event({ choices: [], usage: { prompt_tokens: 12, completion_tokens: 300, total_tokens: 312 } }),
  'data: [DONE]\n\n',
].join('')

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.end(BODY)
  })
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
