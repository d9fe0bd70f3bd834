import { test } from 'vitest'
import { tasksText } from '#web/text/translate/tasks.ts'
import { translateText } from '#web/text/translate/text.ts'
import { makeDocx, startTranslation, waitForFailure } from '../../translate/document.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { button, expect } from '../screen/chat-screen.ts'
import { expectNoBarriers, expectNoBarriersOnPhone } from './barriers.ts'
import { WIDEST } from './controls.ts'
import { openPage } from './walk.ts'

const world = useBrowserWorld()

test('a text is translated with terms of one’s own and of an organization; a file lacks coins, a task has failed', async () => {
  const client = await world.user()
  await client.call('POST /api/organization', { body: { name: '星河工作室' } })
  const page = await world.visit('/fanyi', {
    client,
    expectedErrors: /status of 404.*\/api\/block\/md5/s,
  })
  const source = page.getByLabel(translateText.source, { exact: true })
  await expect(source).toBeVisible()
  world.upstream.script('scripted', { text: 'Why is the water so clear? It has a living spring.' })
  await source.fill('问渠那得清如许？为有源头活水来。')
  await source.press('Control+Enter')
  const result = page.getByRole('group', { name: translateText.result, exact: true })
  await expect(result).toHaveAttribute('aria-busy', 'false')
  await result.getByRole('button').first().click()
  await expect(page.getByRole('dialog', { name: translateText.sentence })).toBeVisible()
  await expectNoBarriersOnPhone(page, 'a sentence and its translation')
  await page.keyboard.press('Escape')
  await page.setViewportSize(WIDEST)
  await button(page, translateText.glossary).click()
  const terms = page.getByRole('dialog', { name: translateText.glossary })
  await terms.getByLabel(translateText.term, { exact: true }).fill('活水')
  await terms.getByLabel(translateText.termTranslation, { exact: true }).fill('living water')
  await terms.getByRole('button', { name: translateText.addTerm }).click()
  await expect(terms.getByRole('listitem')).toContainText(['活水'])
  await expectNoBarriers(page, 'terms')
  await terms.getByRole('button', { name: '「星河工作室」的术语' }).click()
  await expect(terms.getByText(translateText.termsEmpty)).toBeVisible()
  await expectNoBarriers(page, 'the terms of an organization')
  await page.keyboard.press('Escape')

  world.upstream.script('flat', { status: 500 })
  const failed = await startTranslation(world, client, {
    name: '失败.docx',
    content: makeDocx(['It fails.']),
  })
  await waitForFailure(client, world.db(), failed.task)
  await openPage(page, '/profile/tasks')
  const tasks = page.getByRole('list', { name: tasksText.list }).getByRole('listitem')
  await tasks
    .filter({ hasText: '失败.docx' })
    .filter({ hasText: tasksText.kinds.translation! })
    .getByText(tasksText.preview)
    .click()
  await expectNoBarriers(page, 'a task that failed')

  // A model that the person cannot pay for.
  await page.evaluate(() => localStorage.setItem('wenqu.model', 'tiered'))
  await page.goto(`${world.url}/fanyi?mode=file`)
  const long = 'The river runs on and on to the sea. '.repeat(130).trim()
  const book = makeDocx(Array.from({ length: 30 }, (_, n) => `Part ${n}. ${long}`))
  await page.locator('main input[type=file]').setInputFiles({ name: '书.docx', mimeType: '', buffer: book })
  await expect(page.getByRole('main').getByRole('link', { name: translateText.recharge })).toBeVisible()
  await expectNoBarriers(page, 'a translation that lacks coins')
})
