import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { Pool } from 'undici'

// Shows the cost of a proxy of node:http and undici that does nothing else: no key, no limit, no money, no record.

const pool = new Pool(process.env.UPSTREAM ?? '', { connections: 2048, headersTimeout: 0, bodyTimeout: 0 })
const headers = { 'content-type': 'application/json', authorization: 'Bearer k' }
const server = createServer((request, response) => {
  pool
    .request({ method: 'POST', path: request.url ?? '/', headers, body: request })
    .then((answer) => {
      response.writeHead(answer.statusCode, { 'content-type': String(answer.headers['content-type']) })
      return pipeline(answer.body, response)
    })
    .catch(() => response.destroy())
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ url: `http://127.0.0.1:${port}` })
})
process.on('disconnect', () => process.exit())
