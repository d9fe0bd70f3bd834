import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assumeRole, startS3Double, toS3Environment } from '#test/files/s3-double.ts'
import { upload } from '#test/files/upload.ts'
import { startWorld } from '#test/world/world.ts'
import type { World } from '#test/world/world.ts'

// Tests whether a person who replaces an object behind an own file can answer other people's requests: the file is requested
// whole, in parts and by HEAD, through a proxy that reuses its one connection to the app, and in between others request /healthz.
// Prints for each proxy, store and kind of replacement how many of the others got foreign bytes, anything else that is not
// theirs, or no answer within 10 s. Needs haproxy and nginx (Debian's packages).

const OTHERS = Number(process.argv[2] ?? 500)
/** Names of some proxies, stores and kinds of replacement; all without any. */
const wanted = process.argv.slice(3)
const TIMEOUT_MS = 10_000
/** As large as one read of a file, so that the bytes behind it come when the proxy has begun the next request. */
const CONTENT = 'a'.repeat(256 * 1024)
const FOREIGN =
  'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n{"ok":"foreign"}'
const REPLACEMENTS = {
  longer: CONTENT + FOREIGN.repeat(5_000),
  shorter: CONTENT.slice(0, 100_000),
  'as long': FOREIGN.repeat(5_000).slice(0, CONTENT.length),
}

type Answer = { status: number; body: string } | null

/** Returns null when the connection broke, or nothing came in time. */
const ask = (url: string, agent: Agent, method = 'GET', headers = {}): Promise<Answer> =>
  new Promise((resolve) => {
    const sent = request(url, { agent, method, headers, timeout: TIMEOUT_MS }, (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => (body += chunk.toString()))
      response.on('close', () => resolve(response.complete ? { status: response.statusCode!, body } : null))
    })
    sent.on('timeout', () => sent.destroy())
    sent.on('error', () => resolve(null))
    sent.end()
  })

const findFreePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

const CONFIGURATIONS = {
  haproxy: (port: number, app: string) => `
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
  timeout queue 30s
frontend in
  bind 127.0.0.1:${port}
  default_backend app
backend app
  http-reuse always
  server app ${app} maxconn 1
`,
  nginx: (port: number, app: string) => `
daemon off;
worker_processes 1;
error_log /dev/null;
pid nginx.pid;
events {}
http {
  access_log off;
  upstream app { server ${app}; keepalive 1; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://app; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_read_timeout 20s; }
  }
}
`,
}

async function startProxy(kind: keyof typeof CONFIGURATIONS, app: string) {
  const [dir, port] = [await mkdtemp(join(tmpdir(), 'wenqu-proxy-')), await findFreePort()]
  const file = join(dir, 'configuration')
  await writeFile(file, CONFIGURATIONS[kind](port, new URL(app).host))
  const options = kind === 'haproxy' ? ['-f', file] : ['-p', dir, '-c', file]
  const child = spawn(kind, options, { stdio: 'inherit' })
  const url = `http://127.0.0.1:${port}`
  const agent = new Agent({ keepAlive: false })
  for (let tries = 0; tries < 100 && (await ask(`${url}/healthz`, agent))?.status !== 200; tries++)
    await new Promise((resolve) => setTimeout(resolve, 50))
  return {
    url,
    async stop() {
      child.kill()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** Requests the file and, in between, the others' address. */
async function attack(proxy: string, path: string, cookie: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 })
  const headers = { Cookie: cookie }
  const counts = { others: 0, foreign: 0, wrong: 0, missing: 0, attacks: 0 }
  const attackOnce = async (n: number): Promise<void> => {
    const parts = n % 3 === 1 ? { Range: `bytes=1-${CONTENT.length - 1}` } : {}
    await ask(proxy + path, agent, n % 3 === 2 ? 'HEAD' : 'GET', { ...headers, ...parts })
    counts.attacks++
  }
  const askAsOther = async (): Promise<void> => {
    const answer = await ask(`${proxy}/healthz`, agent)
    counts.others++
    if (!answer) counts.missing++
    else if (answer.body.includes('foreign') || answer.body.includes('aaaa')) counts.foreign++
    else if (answer.body !== '{"ok":true}') counts.wrong++
  }
  for (let done = 0; done < OTHERS; done += 10) {
    const calls = Array.from({ length: 10 }, (_, n) => [attackOnce(done + n), askAsOther()]).flat()
    await Promise.all(calls)
  }
  agent.destroy()
  return counts
}

async function run(
  store: 'local' | 's3',
  world: World,
  replace: (key: string, bytes: string) => Promise<void>,
) {
  let bad = 0
  const client = await world.user()
  for (const proxy of ['haproxy', 'nginx'] as const) {
    const { url, ...started } = await startProxy(proxy, world.url)
    for (const [kind, bytes] of Object.entries(REPLACEMENTS)) {
      if (wanted.length && ![proxy, store, kind].every((one) => wanted.includes(one))) continue
      const file = await upload(world, client, {
        name: 'a.txt',
        content: CONTENT,
        channel: proxy + kind.at(0),
      })
      await replace(file.url.slice('/files/'.length), bytes)
      const counts = await attack(url, file.url, client.cookie)
      bad += counts.foreign + counts.wrong + counts.missing
      console.log({ proxy, store, replaced: kind, ...counts })
      await replace(file.url.slice('/files/'.length), CONTENT)
    }
    await started.stop()
  }
  return bad
}

const double = await startS3Double()
double.sts = assumeRole
let bad = 0
for (const store of ['local', 's3'] as const) {
  const world = await startWorld(store === 's3' ? { env: toS3Environment(double) } : {})
  const replace =
    store === 's3'
      ? async (key: string, bytes: string) => double.set(key, Buffer.from(bytes))
      : (key: string, bytes: string) => writeFile(join(world.data_dir, 'files/objects', key), bytes)
  bad += await run(store, world, replace)
  await world.close()
}
double.close()
console.log(`${bad} of the others' requests were not answered as they should have been`)
process.exit(bad ? 1 : 0)
