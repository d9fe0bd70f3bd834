import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  download,
  getTask,
  listDocxTexts,
  makeDocx,
  replyWith,
  startTranslation,
  toChinese,
} from '../translate/document.ts'
import { createAppProcess } from '../world/app-process.ts'
import type { AppProcess } from '../world/app-process.ts'
import { createClient } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { signIn } from '../world/sign-in.ts'
import { startUpstream } from '../world/upstream/upstream.ts'
import type { Upstream } from '../world/upstream/upstream.ts'

/** With FAULTS_FULL, all kills wait until the silence of the process is noticed, as after a real crash. */
const IS_FULL = Boolean(process.env.FAULTS_FULL)
const KILLS = IS_FULL ? 10 : 2
/** Each text is a call of its own, which costs one coin. */
const TEXTS = 24
const TRANSLATING = { reply: replyWith(), delay_ms: 200 }

let upstream: Upstream
let app: AppProcess
let client: Client
beforeAll(async () => {
  upstream = await startUpstream()
  app = await createAppProcess(upstream.url, { SIGNUP_COINS: '1000' })
  await app.start()
  client = createClient(() => app.url)
  await signIn(client, 'translations@example.com', app.data_dir)
})
afterAll(async () => {
  await app.close()
  await upstream.close()
})

const getBalance = async (): Promise<number> => (await client.call('GET /api/credit/balance', {})).balance

test(`after ${KILLS} kills in the middle of translations every one is whole, and each of its texts was paid once`, async () => {
  const times: number[] = []
  let askedAgain = 0
  for (let round = 0; round < KILLS; round++) {
    const [before, calls] = [await getBalance(), upstream.requests.length]
    // Four calls at a time: the last ones wait, so that the process dies before the end.
    const delayed = Array.from({ length: TEXTS - 4 }, () => TRANSLATING)
    upstream.script('flat', ...delayed, { stall: 'headers' })
    const texts = Array.from(
      { length: TEXTS },
      (_, n) => `Part ${n + 1} of book ${round + 1}. ${'The river runs on and on to the sea. '.repeat(130)}`,
    ).map((text) => text.trim())
    const { task } = await startTranslation(app, client, { name: `${round}.docx`, content: makeDocx(texts) })
    const moment = 1 + Math.floor((TEXTS * 0.8 * round) / KILLS)
    await expect
      .poll(async () => (await getTask(client, task)).task.done, { timeout: 60_000 })
      .toBeGreaterThanOrEqual(moment)
    await sleep(Math.random() * 200)
    expect((await getTask(client, task)).status).toBe(1)
    await app.kill({ in_real_time: IS_FULL })
    upstream.script('flat', TRANSLATING)
    const killed = performance.now()
    await app.start()
    await expect.poll(async () => (await getTask(client, task)).status, { timeout: 120_000 }).toBe(2)
    times.push(performance.now() - killed)
    askedAgain += upstream.requests.length - calls - TEXTS
    expect((await getTask(client, task)).task).toMatchObject({ done: TEXTS, total: TEXTS, cost: TEXTS })
    expect(await getBalance()).toBe(before - TEXTS)
    expect(listDocxTexts((await download(client, task)).bytes)).toEqual(texts.map(toChinese))
  }
  times.sort((a, b) => a - b)
  const [median, slowest] = [times[times.length >> 1]!, times.at(-1)!].map((ms) => (ms / 1000).toFixed(1))
  console.log(
    `from kill to done: ${median} s in the middle, ${slowest} s at most; ${askedAgain} calls were made again, none was paid twice`,
  )
}, 1_800_000)
