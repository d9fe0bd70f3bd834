import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { upload } from '../files/upload.ts'
import { createAppProcess } from '../world/app-process.ts'
import type { AppProcess } from '../world/app-process.ts'
import { createClient } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { signIn } from '../world/sign-in.ts'
import { startUpstream } from '../world/upstream/upstream.ts'
import type { Upstream } from '../world/upstream/upstream.ts'

/** With FAULTS_FULL, all kills wait until the silence of the process is noticed, as after a real crash. */
const IS_FULL = Boolean(process.env.FAULTS_FULL)
const KILLS = IS_FULL ? 20 : 2
/** More than two segments of words; with few kills, more than one of vectors. */
const CHAPTERS = IS_FULL ? 2_400 : 400
/** A source's percent when its process dies: words are indexed, most vectors made, vectors made. */
const MOMENTS = [50, 85, 75]
const DELAY_MS = IS_FULL ? 30 : 60
/** Price of the scripted embedding model, whose double counts a token a character; a coin is 1,000,000 micro-coins. */
const COINS_PER_TOKEN = 0.0001

let upstream: Upstream
let app: AppProcess
let client: Client
beforeAll(async () => {
  upstream = await startUpstream()
  app = await createAppProcess(upstream.url, {
    EMBEDDING_MODEL: 'scripted-embedding',
    SIGNUP_COINS: '1000',
  })
  await app.start()
  client = createClient(() => app.url)
  await signIn(client, 'knowledge@example.com', app.data_dir)
})
afterAll(async () => {
  await app.close()
  await upstream.close()
})

const getBalance = async (): Promise<number> => (await client.call('GET /api/credit/balance', {})).balance

test(`after ${KILLS} kills in the middle of indexings every source is done, with each chunk once, and nothing is paid twice`, async () => {
  const times: number[] = []
  for (let round = 0; round < KILLS; round++) {
    const before = await getBalance()
    // Ten texts a call, four calls at a time: the last ones wait, so that the process dies before the end.
    const delayed = Array.from({ length: CHAPTERS / 10 - 4 }, () => ({ delay_ms: DELAY_MS }))
    upstream.script('scripted-embedding', ...delayed, { stall: 'headers' })
    const name = `书${round}.md`
    const chapters = Array.from(
      { length: CHAPTERS },
      (_, n) => `# 第${n}节\n\n第${n}节讲第${n}条河，第${round}版。`,
    )
    const { id } = await upload(app, client, { name, content: chapters.join('\n\n'), channel: 'zhiku' })
    const { uuid } = await client.call('POST /api/agent', { body: { name, embeds: [{ id }] } })
    const getSource = async () =>
      (await client.call('GET /api/agent/{id}/status', { params: { id: uuid } })).embeds[0]!
    const moment = MOMENTS[round % MOMENTS.length]!
    await expect.poll(async () => (await getSource()).percent).toBeGreaterThanOrEqual(moment)
    await sleep(Math.random() * 300)
    expect((await getSource()).status).toBe(1)
    await app.kill({ in_real_time: IS_FULL })
    upstream.script('scripted-embedding', { delay_ms: DELAY_MS })
    const killed = performance.now()
    await app.start()
    await expect.poll(async () => (await getSource()).status, { timeout: 90_000 }).toBe(2)
    times.push(performance.now() - killed)
    expect(await getSource()).toMatchObject({ chunks: CHAPTERS, error: null })
    const tokens = chapters.reduce((sum, chapter, n) => sum + `${name} › 第${n}节\n${chapter}`.length, 0)
    // A call costs twice the rounding of a balance.
    expect(Math.abs(before - (await getBalance()) - tokens * COINS_PER_TOKEN)).toBeLessThan(0.02)
  }
  times.sort((a, b) => a - b)
  const [median, slowest] = [times[times.length >> 1]!, times.at(-1)!].map((ms) => (ms / 1000).toFixed(1))
  console.log(`from kill to done: ${median} s in the middle, ${slowest} s at most`)
}, 1_800_000)
