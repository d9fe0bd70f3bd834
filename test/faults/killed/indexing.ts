import { expect } from 'vitest'
import { upload } from '../../files/upload.ts'
import type { StartedProcess } from '../../world/use-world.ts'
import { IS_FULL, type StartedWork } from './work.ts'

/** More than two segments of words; with few kills, more than one of vectors. */
const CHAPTERS = IS_FULL ? 2_400 : 400
/** A source's percent when its process dies: words are indexed, most vectors made, vectors made. */
const MOMENTS = [50, 85, 75]
const DELAY_MS = IS_FULL ? 30 : 60
/** Price of the scripted embedding model, whose double counts a token a character; a coin is 1,000,000 micro-coins. */
const COINS_PER_TOKEN = 0.0001

/** Has an assistant's source indexed: each chunk must be there once, and its vector paid once. */
export async function prepareIndexing(app: StartedProcess): Promise<(round: number) => Promise<StartedWork>> {
  const client = await app.user('knowledge@example.com')
  const getBalance = async (): Promise<number> => (await client.call('GET /api/credit/balance', {})).balance

  return async (round) => {
    const before = await getBalance()
    // Ten texts a call, four calls at a time: the last ones wait, so that the process dies before the end.
    const delayed = Array.from({ length: CHAPTERS / 10 - 4 }, () => ({ delay_ms: DELAY_MS }))
    app.upstream.script('scripted-embedding', ...delayed, { stall: 'headers' })
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
    expect((await getSource()).status).toBe(1)
    return {
      resume: () => app.upstream.script('scripted-embedding', { delay_ms: DELAY_MS }),
      async check() {
        await expect.poll(async () => (await getSource()).status, { timeout: 90_000 }).toBe(2)
        expect(await getSource()).toMatchObject({ chunks: CHAPTERS, error: null })
        const tokens = chapters.reduce((sum, chapter, n) => sum + `${name} › 第${n}节\n${chapter}`.length, 0)
        // A call costs twice the rounding of a balance.
        expect(Math.abs(before - (await getBalance()) - tokens * COINS_PER_TOKEN)).toBeLessThan(0.02)
      },
    }
  }
}
