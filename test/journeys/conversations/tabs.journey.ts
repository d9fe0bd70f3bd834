import { expect as equal, test } from 'vitest'
import type { Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
import { expectAnswer, answers, waitForText, ask, button, composer, expect } from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { modelNames } from '../../world/real-names.ts'

const world = useBrowserWorld()

const ROUNDS = process.env.FAULTS_FULL ? 200 : 2
const SEED = Number(process.env.SEED ?? 20_261_123)
/** Coins that one answer costs: 1,000 tokens at 200 coins a million. */
const COST = 0.2

/** Returns a function for numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const isPaid = (body: unknown): boolean => (body as { model?: string }).model === 'scripted-paid'

const createRoundSentences = (round: number, count: number): string =>
  Array.from({ length: count }, (_, n) => `第${round}问的第${n}句。`).join('')

test(
  `${ROUNDS} answers watched in two tabs, one of them loaded again in between, are equal and charged once (seed ${SEED})`,
  { timeout: 3_600_000 },
  async () => {
    const random = createRandom(SEED)
    const client = await world.user()
    const usage = { prompt_tokens: 400, completion_tokens: 600, total_tokens: 1_000 }
    world.upstream.script('scripted-paid', { text: '开头。', usage })
    const { sess_id } = await client.ask('开头', { model: 'scripted-paid' })
    const page = await world.visit(`/chat?sess_id=${sess_id}`, { client })
    await expectAnswer(page, '开头。')
    await expect(button(page, `${chatText.modelPicker}：${modelNames['scripted-paid']}`)).toBeVisible()
    const tab = await page.context().newPage()
    await tab.goto(page.url())
    await expectAnswer(tab, '开头。')
    const balance = async () => (await client.call('GET /api/user/info', {})).balance
    const countCalls = () => world.upstream.requests.filter(({ body }) => isPaid(body)).length
    const [start, asked] = [await balance(), countCalls()]

    for (let round = 1; round <= ROUNDS; round++) {
      const text = createRoundSentences(round, 10 + Math.floor(random() * 20))
      const reasoning = random() < 0.5 ? `先想第${round}问。`.repeat(8) : ''
      world.upstream.script('scripted-paid', { text, reasoning, usage, chars: 6, every_ms: 8 })
      const asker: Page = random() < 0.5 ? page : tab
      const reloaded: Page = random() < 0.5 ? page : tab
      await expect(composer(asker)).toBeVisible()
      const taken = asker.waitForResponse('**/api/chat/create')
      await ask(asker, `第${round}问`)
      await taken
      if (random() < 0.7) await waitForText(asker, Math.floor(random() * text.length))
      await reloaded.reload()
      for (const one of [page, tab]) await expectAnswerText(one, text)
      equal(await balance()).toBeCloseTo(start - round * COST, 2)
    }
    equal(countCalls() - asked).toBe(ROUNDS)
  },
)

/** Expects the last answer to be whole and to read so, whether a thought comes before it or not. */
async function expectAnswerText(page: Page, text: string): Promise<void> {
  await expect(answers(page).last().locator('.md')).toHaveText(text)
  await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false')
}
