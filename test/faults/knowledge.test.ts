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

const KILLS = process.env.FAULTS_FULL ? 20 : 3
const CHAPTERS = 400
/** Of the scripted embedding model, whose double counts a token a character; a coin is 1,000,000 micro-coins. */
const COINS_PER_TOKEN = 0.0001

let upstream: Upstream
let app: AppProcess
let client: Client
beforeAll(async () => {
  upstream = await startUpstream()
  upstream.script('scripted-embedding', { delay_ms: 20 })
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
  for (let round = 0; round < KILLS; round++) {
    const before = await getBalance()
    const name = `书${round}.md`
    const chapters = Array.from(
      { length: CHAPTERS },
      (_, n) => `# 第${n}节\n\n第${n}节讲第${n}条河，第${round}版。`,
    )
    const { id } = await upload(app, client, { name, content: chapters.join('\n\n'), channel: 'zhiku' })
    const { uuid } = await client.call('POST /api/agent', { body: { name, embeds: [{ id }] } })
    const getSource = async () =>
      (await client.call('GET /api/agent/{id}/status', { params: { id: uuid } })).embeds[0]!
    await expect.poll(async () => (await getSource()).percent, { timeout: 30_000 }).toBeGreaterThanOrEqual(50)
    await sleep(Math.random() * 800)
    await app.kill()
    await app.start()
    await expect.poll(async () => (await getSource()).status, { timeout: 90_000 }).toBe(2)
    expect(await getSource()).toMatchObject({ chunks: CHAPTERS, error: null })
    const tokens = chapters.reduce((sum, chapter, n) => sum + `${name} › 第${n}节\n${chapter}`.length, 0)
    // A call costs twice as much as a balance is rounded by.
    expect(Math.abs(before - (await getBalance()) - tokens * COINS_PER_TOKEN)).toBeLessThan(0.02)
  }
})
