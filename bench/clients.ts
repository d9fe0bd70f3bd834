import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { startWorld } from '#test/world/world.ts'
import { MODELS, RERANK, createPlatformKeys, readPlatformNames, renderModels } from './clients/models.ts'
import { startScriptServer } from './clients/script-server.ts'
import { isFailure, renderRows, renderSummary } from './clients/summary.ts'
import type { Row } from './clients/summary.ts'

// Measures what other people's programs can do with the gateway: each client of bench/peers/clients, in the version that its
// folder names, against the real app and doubles of platforms that refuse the same requests as the real ones. Prints a table of
// features, and one of clients.
// `npm run bench:clients`; some of them with `-- codex openai-node`. How to add one: bench/peers/clients/README.md.

const SOURCES = fileURLToPath(new URL('peers/clients/', import.meta.url))
/** Clients are installed here, outside the project, and stay for the next run. */
const CACHE = process.env.WENQU_CLIENTS_DIR ?? join(homedir(), '.cache', 'wenqu-clients')
/** A coding agent does tasks of many calls on every model. */
const MAX_SECONDS = 2400

/** `client.json` of a client's folder: commands to run in it, each as a program and its arguments. */
type Client = { name: string; install?: string[]; run: string[] }
/** A client's output, a line of JSON each: its version, or the result of a feature. */
type Line = { version: string } | { feature: string; result: string }

/** Runs a command to its end, or up to the time limit. Its remaining children end with it: they would hold the pipes. */
async function run([program = '', ...args]: string[], cwd: string, env: NodeJS.ProcessEnv = process.env) {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const killGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The whole group has ended.
    }
  }
  const timer = setTimeout(killGroup, MAX_SECONDS * 1000)
  child.once('exit', killGroup)
  const exit = once(child, 'close') as Promise<[number | null]>
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exit])
  clearTimeout(timer)
  return { output, errors, code }
}

/** Installs a client into its folder of the cache, unless the same sources are installed there already. */
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

const chosen = process.argv.slice(2)
const folders = readdirSync(SOURCES).filter(
  (name) => existsSync(join(SOURCES, name, 'client.json')) && (!chosen.length || chosen.includes(name)),
)
cpSync(SOURCES, CACHE, { recursive: true })
const world = await startWorld({
  // No page is opened, so the web needs no build.
  env: { ...createPlatformKeys(), SIGNUP_COINS: '1000000', VITE_DEV_URL: 'http://127.0.0.1:9' },
  models: renderModels,
})
const scripts = await startScriptServer(world.upstream, readPlatformNames())
const rows: Row[] = []
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
    MODELS: Object.keys(MODELS).join(','),
    MODEL_RERANK: RERANK.id,
  }
  console.log('| Client | Version | Feature | Result |\n|---|---|---|---|')
  for (const folder of folders) {
    const row = await runClient(folder, env)
    rows.push(row)
    console.log(renderRows(row))
  }
  console.log(`\n${renderSummary(rows)}`)
} finally {
  scripts.close()
  await world.close()
}
// Connections of killed clients may stay open for a while.
process.exit(rows.some(({ results }) => results.some(({ result }) => isFailure(result))) ? 1 : 0)
