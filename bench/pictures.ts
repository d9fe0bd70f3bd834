import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { deflateSync } from 'node:zlib'
import { toMd5, upload } from '#test/files/upload.ts'
import { CallError, createClient } from '#test/world/client.ts'
import type { Client } from '#test/world/client.ts'
import { createPostgresDatabase } from '#test/world/postgres.ts'
import { signIn } from '#test/world/sign-in.ts'
import { renderModelsFile } from '#test/world/upstream/models-file.ts'

// Measures how questions with large pictures delay others: accounts ask at once about pictures of 9 MB each, with one model and
// with several side by side, while another account keeps calling GET /api/chat/sessions. Server and platform are own processes;
// the platform decodes the pictures. `node bench/pictures.ts`, on PostgreSQL with DATABASE_URL, else embedded.

const ACCOUNTS = 4
const PICTURES = 10
const SIDE = 1_732
const MAX_OTHER_CALLS = 2_000
const FLAGS = ['--max-semi-space-size=16', '--heap-growing-percent=40']
const MODELS = (['openai', 'anthropic', 'gemini', 'openai'] as const).map((dialect, nth) => ({
  id: `sees-${nth}`,
  dialect,
  input: 0,
  output: 0,
  timeout_ms: 60_000,
  capabilities: ['vision'],
}))
const [FIRST] = MODELS
/** Room for ten pictures in a question, which the usual limits refuse. */
const ALL_TEN = { max_question_picture_bytes: 100_000_000 }

type Scenario = { name: string; pictures: number; models: string[]; capacity?: object }
const everyModel = MODELS.map(({ id }) => id)
const SCENARIOS: Scenario[] = [
  { name: 'ten pictures, usual limits', pictures: 10, models: [FIRST!.id] },
  { name: 'five pictures, usual limits', pictures: 5, models: [FIRST!.id] },
  { name: 'ten pictures, no limit of a question', pictures: 10, models: [FIRST!.id], capacity: ALL_TEN },
  { name: 'five pictures, four models side by side', pictures: 5, models: everyModel },
]

/** A PNG of random points, which no compression makes smaller. */
function createPicture(): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
  header.writeUInt32BE(SIDE, 0)
  header.writeUInt32BE(SIDE, 4)
  const rows = Array.from({ length: SIDE }, () => Buffer.concat([Buffer.alloc(1), randomBytes(SIDE * 3)]))
  const data = deflateSync(Buffer.concat(rows), { level: 0 })
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  // No reader here checks the checksums.
  const toChunk = (type: string, bytes: Buffer): Buffer => {
    const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type), bytes, Buffer.alloc(4)])
    chunk.writeUInt32BE(bytes.length, 0)
    return chunk
  }
  const chunks = [toChunk('IHDR', header), toChunk('IDAT', data), toChunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...chunks])
}

async function start(file: string, env: NodeJS.ProcessEnv = {}) {
  const path = fileURLToPath(new URL(`pictures/${file}`, import.meta.url))
  const child = fork(path, { env: { ...process.env, ...env }, execArgv: FLAGS })
  const failed = once(child, 'exit').then(() => Promise.reject(new Error(`${file} has ended`)))
  failed.catch(() => {})
  const [url] = (await Promise.race([once(child, 'message'), failed])) as [string]
  return { child, url }
}

async function stop(child: ChildProcess): Promise<void> {
  child.disconnect()
  await once(child, 'exit')
}

const MB = 1_000_000
async function readMemory({ pid }: ChildProcess): Promise<number> {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))!
  return (Number(kilobytes) * 1024) / MB
}

const dataDir = await mkdtemp(join(tmpdir(), 'wenqu-pictures-'))
const database = await createPostgresDatabase(process.env.DATABASE_URL)
const upstream = await start('upstream.ts')
const modelsFile = join(dataDir, 'models.json')
await writeFile(modelsFile, renderModelsFile(upstream.url, MODELS))
const environment: NodeJS.ProcessEnv = {
  NODE_ENV: 'test',
  PORT: '0',
  HOST: '127.0.0.1',
  DATA_DIR: dataDir,
  MODELS_FILE: modelsFile,
  WENQU_OLLAMA: 'off',
  TITLE_MODEL: 'off',
  AGENTS_FILE: 'off',
  EMBEDDING_MODEL: 'off',
  RERANK_MODEL: 'off',
  ...(database ? { DATABASE_URL: database.url } : {}),
}

type Received = { answered: boolean; pictures: { size: number; md5: string }[] }
const received: Received[] = []
upstream.child.on('message', (seen: Received) => void received.push(seen))

let url = ''
/** Each account with the pictures that it asks about. */
const accounts: { client: Client; blocks: string[] }[] = []
const known = new Set<string>()
const other = createClient(() => url)

async function prepare(): Promise<void> {
  const server = await start('server.ts', environment)
  url = server.url
  await signIn(other, 'other@example.com', dataDir)
  for (let nth = 0; nth < ACCOUNTS; nth++) {
    const client = createClient(() => url)
    await signIn(client, `account${nth}@example.com`, dataDir)
    const blocks: string[] = []
    for (let n = 0; n < PICTURES; n++) {
      const content = createPicture()
      known.add(toMd5(content))
      // Pictures of this channel are not read.
      const file = { name: `${n}.png`, type: 'image/png', content, channel: 'fanyi' }
      blocks.push((await upload({ url }, client, file)).id)
    }
    accounts.push({ client, blocks })
  }
  await stop(server.child)
}

/** Asks about pictures and waits for all answers; returns the result of each. */
async function ask(
  { client, blocks }: (typeof accounts)[number],
  { pictures, models }: Scenario,
): Promise<string[]> {
  const about = { prompt: '画的是什么？', block: blocks.slice(0, pictures).join(',') }
  try {
    if (models.length === 1) return [(await client.ask(about.prompt, { ...about, model: models[0] })).text]
    const { session } = await client.call('POST /api/chat/session/new', { body: { chatbot: 'compare' } })
    const chatbot = `compare-${session.id}`
    const { chat_message } = await client.call('POST /api/chat/create', {
      body: { ...about, chatbot, models },
    })
    const { chat_id } = chat_message
    const wait = (model: string) => client.call('POST /api/chat/completions', { query: { chat_id, model } })
    return (await Promise.all(models.map(wait))).map((answer) => answer.chat_message.text)
  } catch (error) {
    if (error instanceof CallError) return [`${error.status} ${error.body.code}: ${error.body.message}`]
    throw error
  }
}

/** Measures calls of another account, one after the other, ms. */
async function callAsOther(max: number, signal?: AbortSignal): Promise<number[]> {
  const times: number[] = []
  while (!signal?.aborted && times.length < max) {
    const begun = performance.now()
    await other.call('GET /api/chat/sessions', { query: {} })
    times.push(performance.now() - begun)
    await sleep(2)
  }
  return times
}

const find = (times: number[], share: number): string =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)]!.toFixed(0)

async function run(scenario: Scenario) {
  const server = await start('server.ts', {
    ...environment,
    BENCH_CAPACITY: JSON.stringify(scenario.capacity ?? {}),
  })
  url = server.url
  // A first round loads everything once.
  await callAsOther(20)
  const quiet = await callAsOther(200)
  await other.ask('你好', { model: FIRST!.id })
  await sleep(1_000)
  received.length = 0
  const before = await readMemory(server.child)
  let peak = before
  const watch = setInterval(() => {
    void readMemory(server.child).then((memory) => (peak = Math.max(peak, memory)))
  }, 20)

  const over = new AbortController()
  const calling = callAsOther(MAX_OTHER_CALLS, over.signal)
  const began = performance.now()
  const outcomes = (await Promise.all(accounts.map((account) => ask(account, scenario)))).flat()
  const seconds = (performance.now() - began) / 1_000
  over.abort()
  const times = await calling
  await sleep(1_500)
  clearInterval(watch)
  const after = await readMemory(server.child)
  await stop(server.child)

  const pictures = received.flatMap((one) => one.pictures)
  const wrong = pictures.filter(({ md5 }) => !known.has(md5)).length
  console.log(`\n${scenario.name}: ${[...new Set(outcomes)].join(' | ')}`)
  console.table({
    answers: outcomes.filter((text) => text === '看到了。').length,
    'pictures that arrived': pictures.length,
    'of them other ones than were uploaded': wrong,
    'MB that arrived': Math.round(pictures.reduce((sum, { size }) => sum + size, 0) / MB),
    seconds: seconds.toFixed(1),
    'memory of the server before, MB': Math.round(before),
    'at most, MB': Math.round(peak),
    'after it, MB': Math.round(after),
    'calls of the other account': times.length,
    'their p50, ms': find(times, 0.5),
    'p99, ms': find(times, 0.99),
    'longest, ms': find(times, 1),
    'p99 of 200 before, ms': find(quiet, 0.99),
  })
}

try {
  await prepare()
  for (const scenario of SCENARIOS) await run(scenario)
} finally {
  await stop(upstream.child)
  await database?.drop()
  await rm(dataDir, { recursive: true, force: true })
}
