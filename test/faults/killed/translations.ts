import { expect } from 'vitest'
import {
  download,
  getTask,
  listDocxTexts,
  makeDocx,
  replyWith,
  startTranslation,
  toChinese,
} from '../../translate/document.ts'
import type { StartedProcess } from '../../world/use-world.ts'
import { IS_FULL, KILLS, type StartedWork } from './work.ts'

/** Each text is a call of its own, which costs one coin. */
const TEXTS = IS_FULL ? 24 : 12
const TRANSLATING = { reply: replyWith(), delay_ms: 200 }

/** Has a document translated: it must be whole, and each of its texts paid once. */
export async function prepareTranslation(
  app: StartedProcess,
): Promise<(round: number) => Promise<StartedWork>> {
  const client = await app.user('translations@example.com')
  const getBalance = async (): Promise<number> => (await client.call('GET /api/credit/balance', {})).balance

  return async (round) => {
    const before = await getBalance()
    // Four calls at a time: the last ones wait, so that the process dies before the end.
    const delayed = Array.from({ length: TEXTS - 4 }, () => TRANSLATING)
    app.upstream.script('flat', ...delayed, { stall: 'headers' })
    const texts = Array.from(
      { length: TEXTS },
      (_, n) => `Part ${n + 1} of book ${round + 1}. ${'The river runs on and on to the sea. '.repeat(130)}`,
    ).map((text) => text.trim())
    const { task } = await startTranslation(app, client, { name: `${round}.docx`, content: makeDocx(texts) })
    const moment = 1 + Math.floor((TEXTS * 0.6 * round) / KILLS)
    await expect
      .poll(async () => (await getTask(client, task)).task.done, { timeout: 60_000 })
      .toBeGreaterThanOrEqual(moment)
    expect((await getTask(client, task)).status).toBe(1)
    return {
      resume: () => app.upstream.script('flat', TRANSLATING),
      async check() {
        await expect.poll(async () => (await getTask(client, task)).status, { timeout: 120_000 }).toBe(2)
        expect((await getTask(client, task)).task).toMatchObject({ done: TEXTS, total: TEXTS, cost: TEXTS })
        expect(await getBalance()).toBe(before - TEXTS)
        expect(listDocxTexts((await download(client, task)).bytes)).toEqual(texts.map(toChinese))
      },
    }
  }
}
