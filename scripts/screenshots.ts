import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { sql } from 'drizzle-orm'
import { authText } from '#web/text/auth.ts'
import { docsText } from '#web/text/docs/reference.ts'
import { promptsText } from '#web/text/prompts.ts'
import { homeText } from '#web/text/site/home.ts'
import { scriptFor } from '../bench/upstream/answers.ts'
import { launchBrowser } from '../test/world/browser.ts'
import type { Client } from '../test/world/client.ts'
import { startUpstream } from '../test/world/upstream/upstream.ts'
import { startWorld } from '../test/world/world.ts'
import { answers, expect, questions } from '../test/journeys/screen/chat-screen.ts'

// Takes the pictures of docs/images from the real app: npx vite build, then node scripts/screenshots.ts

const QUESTION = '用代码写出快速排序，再用表格和其他排序算法比较一下。'
const FORMULA = '高斯积分的公式怎么证明？'
/** Earlier conversations and how many days ago they were. */
const EARLIER_CONVERSATIONS: [question: string, days: number][] = [
  ['“问渠那得清如许”出自哪里？', 1],
  ['把周报改得简洁一些', 3],
  ['Why is clear water a good metaphor?', 4],
  ['给团队讲讲事务的隔离级别', 20],
]
const MAX_BYTES = 250_000

const folder = await mkdtemp(join(tmpdir(), 'wenqu-pictures-'))
const upstream = await startUpstream({
  answer: (question, model) => ({ ...scriptFor(question, model), chars: 40, every_ms: 20 }),
})
const modelsFile = join(folder, 'models.json')
await writeFile(modelsFile, createModelsFile(upstream.url))
const world = await startWorld({ env: { MODELS_FILE: modelsFile } })
const browser = await launchBrowser()
try {
  const client = await world.user('lin@example.com')
  for (const [question, days] of EARLIER_CONVERSATIONS.toReversed()) {
    const sessId = await createConversation(client, question)
    await world
      .db()
      .execute(
        sql`update chat_sessions set updated_at = updated_at - make_interval(days => ${days}) where id = ${sessId}`,
      )
  }
  const formula = await createConversation(client, FORMULA)
  const sorting = await createConversation(client, QUESTION)

  for (const look of ['light', 'dark'] as const) {
    const page = await browser.visit(`${world.url}/chat?sess_id=${sorting}`, { look, client })
    // High enough for the whole conversation.
    await page.setViewportSize({ width: 1280, height: 1340 })
    await expect(answers(page).locator('.katex').last()).toBeVisible()
    await expect(questions(page)).toBeInViewport({ ratio: 1 })
    await takeScreenshot(page, `chat-${look}`)
  }
  const compared = await compareModels(client, QUESTION)
  const comparison = await browser.visit(`${world.url}/compare?sess_id=${compared}`, { client })
  await expect(comparison.getByRole('table').nth(1)).toBeVisible()
  await takeScreenshot(comparison, 'compare-light')
  const setting = await browser.visit(`${world.url}/profile/setting`, { client })
  await expect(setting.getByRole('heading', { name: promptsText.ownTitle })).toBeAttached()
  await takeScreenshot(setting, 'setting-light')
  const reference = await browser.visit(`${world.url}/docs/api`)
  await expect(reference.getByRole('heading', { name: docsText.title })).toBeVisible()
  await takeScreenshot(reference, 'reference-light')
  const phone = await browser.visit(`${world.url}/chat?sess_id=${formula}`, { look: 'phone', client })
  await expect(answers(phone).locator('.katex').last()).toBeVisible()
  await takeScreenshot(phone, 'chat-phone')
  for (const look of ['light', 'dark', 'phone'] as const) {
    const home = await browser.visit(world.url, { look })
    await expect(home.getByRole('heading', { name: homeText.heading })).toBeVisible()
    await takeScreenshot(home, `home-${look}`)
  }
  const login = await browser.visit(`${world.url}/login`, { look: 'dark' })
  await expect(login.getByRole('heading', { name: authText.welcome })).toBeVisible()
  await takeScreenshot(login, 'login-dark')
  const errors = await browser.collectErrors()
  if (errors.length) throw new Error(errors.join('\n'))
} finally {
  await browser.close()
  await world.close()
  await upstream.close()
  await rm(folder, { recursive: true })
}

/** Creates a conversation of one question; returns its session. */
async function createConversation(client: Client, question: string): Promise<string> {
  const { session } = await client.call('POST /api/chat/session/new', { body: {} })
  await client.ask(question, { sess_id: session.id })
  return session.id
}

/** Asks both models a question; returns the comparison's session. */
async function compareModels(client: Client, question: string): Promise<string> {
  const { session } = await client.call('POST /api/chat/session/new', { body: { chatbot: 'compare' } })
  await client.ask(question, { chatbot: `compare-${session.id}`, models: ['example', 'other-example'] })
  return session.id
}

async function takeScreenshot(page: Page, name: string): Promise<void> {
  const path = `docs/images/${name}.png`
  await page.evaluate(() => document.fonts.ready)
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
  const { size } = await stat(path)
  console.log(`${path}  ${Math.round(size / 1000)} kB`)
  if (size > MAX_BYTES)
    throw new Error(`${path} has ${size} bytes, at most ${MAX_BYTES} are meant to be in the repository`)
}

/** Returns a models file whose models are named as examples: their answers are written by hand. */
function createModelsFile(baseUrl: string): string {
  const offers = [{ platform: 'example', model: 'example', input: 200, output: 300 }]
  const models = [
    { id: 'example', name: '示例模型', desc: '', type: 'chat', guest: true, offers },
    { id: 'other-example', name: '另一个示例', desc: '', type: 'chat', offers },
  ]
  const platform = { name: 'example', alias: '示例平台', dialect: 'openai', base_url: baseUrl }
  return JSON.stringify({ platforms: [platform], models })
}
