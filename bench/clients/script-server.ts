import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Script, Upstream } from '#test/world/upstream/upstream.ts'

/** Requests of a model that clients are shown at most, the latest ones: prompts of coding agents are long. */
const MAX_REQUESTS = 40

/**
 * Lets clients say over HTTP how the upstream answers (`POST /`), see what it was sent for a model (`GET /?model=`), and
 * what it refused since they asked last (`GET /refusals`). They name models as the gateway does, `names` has what the
 * platforms call them.
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
