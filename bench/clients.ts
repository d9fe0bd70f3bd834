import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Script, Upstream, UpstreamModel } from '#test/world/upstream/upstream.ts'
import { startWorld } from '#test/world/world.ts'

// What programs of others can do with the gateway: each client of bench/peers/clients, in the version that its folder
// names, against the real app with a scripted upstream. Prints a table: client × feature.
// `npm run bench:clients`; some of them with `-- codex openai-node`. How to add one: bench/peers/clients/README.md.

const SOURCES = fileURLToPath(new URL('peers/clients/', import.meta.url))
/** Clients are installed here, outside of the project, and stay for the next run. */
const CACHE = process.env.WENQU_CLIENTS_DIR ?? join(homedir(), '.cache', 'wenqu-clients')
const MAX_SECONDS = 300
const capabilities = ['tools', 'reasoning']
const price = { input: 1, output: 1, capabilities }
const MODELS = {
  MODEL: { id: 'deepseek-script', dialect: 'openai', ...price },
  MODEL_ANTHROPIC: { id: 'claude-sonnet-4-5', dialect: 'anthropic', ...price },
  MODEL_GEMINI: { id: 'gemini-2.5-script', dialect: 'gemini', ...price },
} as const satisfies Record<string, UpstreamModel>

const RERANK = {
  id: 'rerank-script',
  name: 'rerank-script',
  type: 'rerank',
  offers: [{ platform: `script-${MODELS.MODEL.id}`, model: 'rerank-script', input: 1, output: 0 }],
}

/** The models above, and one that ranks. */
function renderModels(upstream: Upstream): string {
  const file = JSON.parse(upstream.renderModelsFile(...Object.values(MODELS))) as { models: object[] }
  return JSON.stringify({ ...file, models: [...file.models, RERANK] })
}

/** `client.json` of a client's folder: commands that are run in it, each as a program and its arguments. */
type Client = { name: string; install?: string[]; run: string[] }
/** What a client prints, a line of JSON each: its version, or how a feature went (`ok`, or what went wrong). */
type Line = { version: string } | { feature: string; result: string }
type Row = { name: string; version: string; results: { feature: string; result: string }[] }

/** Lets clients say over HTTP how the upstream answers (`POST`), and see what it was sent (`GET`). */
async function startScriptServer(upstream: Upstream) {
  const server = createServer((request, response) => {
    const answer = async (): Promise<unknown> => {
      if (request.method === 'GET') return upstream.requests.slice(-20)
      const { model, scripts } = (await json(request)) as { model: string; scripts: Script[] }
      upstream.script(model, ...scripts)
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

/** Runs a command to its end, or for so long. What it started and left behind ends with it: it would hold the pipes. */
async function run([program = '', ...args]: string[], cwd: string, env: NodeJS.ProcessEnv = process.env) {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const killGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // All of it has ended.
    }
  }
  const timer = setTimeout(killGroup, MAX_SECONDS * 1000)
  child.once('exit', killGroup)
  const exit = once(child, 'close') as Promise<[number | null]>
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exit])
  clearTimeout(timer)
  return { output, errors, code }
}

/** Installs a client into its folder of the cache, unless what it is made of is there already. */
async function install(folder: string, { install: command }: Client): Promise<string | null> {
  if (!command) return null
  const source = join(SOURCES, folder)
  const hash = createHash('sha256')
  for (const file of readdirSync(source).sort()) hash.update(readFileSync(join(source, file)))
  const installed = hash.digest('hex')
  const marker = join(CACHE, folder, '.installed')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === installed) return null
  const { code, errors } = await run(command, join(CACHE, folder)).catch((error: unknown) => ({
    code: -1,
    errors: String(error),
  }))
  if (code !== 0) return errors.trim().split('\n').at(-1) ?? ''
  writeFileSync(marker, installed)
  return null
}

async function runClient(folder: string, env: NodeJS.ProcessEnv): Promise<Row> {
  const client = JSON.parse(readFileSync(join(SOURCES, folder, 'client.json'), 'utf8')) as Client
  const { name } = client
  const failed = (result: string): Row => ({ name, version: '?', results: [{ feature: 'start', result }] })
  const fault = await install(folder, client)
  if (fault !== null) return failed(`not installed: ${fault}`)
  const { output, errors, code } = await run(client.run, join(CACHE, folder), env).catch(
    (error: unknown) => ({
      output: '',
      errors: String(error),
      code: -1,
    }),
  )
  const lines = output.split('\n').flatMap((line) => (line.startsWith('{') ? (JSON.parse(line) as Line) : []))
  const version = lines.flatMap((line) => ('version' in line ? line.version : [])).at(-1)
  const results = lines.flatMap((line) => ('feature' in line ? line : []))
  if (version === undefined || !results.length) return failed(`exit ${code}: ${errors.trim().slice(-300)}`)
  if (code !== 0) results.push({ feature: 'end', result: `exit ${code}: ${errors.trim().slice(-300)}` })
  return { name, version, results }
}

const clean = (cell: string): string => cell.replaceAll('|', '\\|').replace(/\s+/g, ' ')

const chosen = process.argv.slice(2)
const folders = readdirSync(SOURCES).filter(
  (name) => existsSync(join(SOURCES, name, 'client.json')) && (!chosen.length || chosen.includes(name)),
)
cpSync(SOURCES, CACHE, { recursive: true })
const world = await startWorld({
  // No page is opened, so the web need not be built.
  env: { SIGNUP_COINS: '1000000', VITE_DEV_URL: 'http://127.0.0.1:9' },
  models: renderModels,
})
const scripts = await startScriptServer(world.upstream)
let failures = 0
try {
  const user = await world.user()
  const limits = { requests_per_minute: 1_000_000, tokens_per_minute: 1_000_000_000, credit_limit: 1_000_000 }
  const { raw_value } = await user.call('POST /api/api_keys', { body: { name: 'clients', ...limits } })
  const key = raw_value ?? ''
  const env = {
    ...process.env,
    OPENAI_BASE_URL: `${world.url}/api/v1`,
    OPENAI_API_KEY: key,
    ANTHROPIC_BASE_URL: `${world.url}/api`,
    ANTHROPIC_API_KEY: key,
    SCRIPT_URL: scripts.url,
    MODEL_RERANK: RERANK.id,
    ...Object.fromEntries(Object.entries(MODELS).map(([name, { id }]) => [name, id])),
  }
  console.log('| Client | Version | Feature | Result |\n|---|---|---|---|')
  for (const folder of folders) {
    const { name, version, results } = await runClient(folder, env)
    for (const { feature, result } of results) {
      if (result !== 'ok') failures += 1
      console.log(
        `| ${name} | ${clean(version)} | ${clean(feature)} | ${result === 'ok' ? '✓' : clean(result)} |`,
      )
    }
  }
} finally {
  scripts.close()
  await world.close()
}
// Connections of clients that were killed may stay open for a while.
process.exit(failures ? 1 : 0)
