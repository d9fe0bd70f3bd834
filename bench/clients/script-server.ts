import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Script, Upstream } from '#test/world/upstream/upstream.ts'

/** Most requests of a model that clients are shown, the latest ones: prompts of coding agents are long. */
const MAX_REQUESTS = 40

/**
 * Lets clients set the upstream's answers over HTTP (`POST /`), read the requests it received for a model (`GET /?model=`), and
 * read its refusals since their last look (`GET /refusals`). Clients use the gateway's names of models; `names` maps them to the
 * platforms' names.
 */
export async function startScriptServer(upstream: Upstream, names: ReadonlyMap<string, string>) {
  const listRequests = (id: string) => {
    const name = names.get(id) ?? id
    return upstream.requests
      .filter(({ path, body }) => readModel(body) === name || path.includes(`/models/${name}:`))
      .slice(-MAX_REQUESTS)
      .map(({ path, body }) => ({ path, body }))
  }
  const server = createServer((request, response) => {
    const answer = async (): Promise<unknown> => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://script')
      if (pathname === '/refusals') return upstream.refusals.splice(0)
      if (request.method === 'GET') return listRequests(searchParams.get('model') ?? '')
      const { model, scripts } = (await json(request)) as { model: string; scripts: Script[] }
      upstream.script(names.get(model) ?? model, ...scripts)
      return {}
    }
    answer().then(
      (body) => response.end(JSON.stringify(body)),
      () => response.writeHead(400).end(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

const readModel = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'model' in body ? body.model : undefined
