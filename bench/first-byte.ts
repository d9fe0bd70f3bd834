import { startUpstream } from '#test/world/upstream/upstream.ts'
import { createAppProcess } from '#test/world/app-process.ts'
import { createClient } from '#test/world/client.ts'
import { signIn } from '#test/world/sign-in.ts'

// Measures the time from a question's POST in the chat to the first byte of its answer, in turn with the upstream asked directly;
// people's limits allow five to a session, 25 to a person. `node bench/first-byte.ts [questions]`; PostgreSQL with DATABASE_URL.

const QUESTIONS = Number(process.argv[2] ?? 300)
const WARM_UP = 100
const PER_SESSION = 5
const PER_PERSON = 25
const QUESTION = '源头在哪里？'

const upstream = await startUpstream()
const app = await createAppProcess(upstream.url)
await app.start()

/** Returns the milliseconds until the first byte of a response; reads it to its end. */
async function measure(began: number, response: Promise<Response>): Promise<number> {
  const reader = (await response).body!.getReader()
  await reader.read()
  const ms = performance.now() - began
  while (!(await reader.read()).done);
  return ms
}

const quantile = (values: number[], q: number): string =>
  (values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * q)] ?? Number.NaN).toFixed(1)

try {
  let client = createClient(() => app.url)
  const [direct, through]: [number[], number[]] = [[], []]
  for (let nth = 0; nth < WARM_UP + QUESTIONS; nth++) {
    if (nth % PER_PERSON === 0) {
      client = createClient(() => app.url)
      await signIn(client, `bench-${nth}@example.com`, app.data_dir)
    }
    if (nth % PER_SESSION === 0) await client.call('POST /api/chat/session/new', { body: {} })
    const body = { model: 'scripted-paid', stream: true, messages: [{ role: 'user', content: QUESTION }] }
    const directBegan = performance.now()
    const asked = fetch(`${upstream.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer sk-scripted' },
      body: JSON.stringify(body),
    })
    direct.push(await measure(directBegan, asked))
    const began = performance.now()
    const { chat_message } = await client.call('POST /api/chat/create', {
      body: { prompt: QUESTION, model: 'scripted-paid' },
    })
    through.push(await measure(began, client.fetch(`/api/chat/completions?chat_id=${chat_message.chat_id}`)))
  }
  const row = (ms: number[]) => ({
    'p50 ms': quantile(ms.slice(WARM_UP), 0.5),
    'p95 ms': quantile(ms.slice(WARM_UP), 0.95),
  })
  console.log(process.env.DATABASE_URL ? 'PostgreSQL' : 'embedded database')
  console.table({ 'the upstream itself': row(direct), 'a question, POST to first byte': row(through) })
} finally {
  await app.close()
  await upstream.close()
}
