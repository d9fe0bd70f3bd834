import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { uiText } from '#web/text/ui.ts'
import { docsText } from '#web/text/docs/reference.ts'
import { fieldsText, keysText, provisionText } from '#web/text/keys.ts'
import { shellText } from '#web/text/shell.ts'
import { samplesText } from '#web/text/docs/samples.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { modelNames } from '../../world/real-names.ts'
import { button, expect } from '../screen/chat-screen.ts'
import { chooseMenuItem, createUsedKey, dialog } from './key-screen.ts'

const world = useBrowserWorld()

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const code = (page: Page) => page.getByLabel(docsText.exampleOf(''), { exact: true })
const readClipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

async function readKeyValue(page: Page): Promise<string> {
  const shown = dialog(page, keysText.valueTitle)
  const value = (await shown.getByLabel(keysText.value).textContent()) ?? ''
  await shown.getByRole('button', { name: keysText.copy }).click()
  await expect.poll(() => readClipboard(page)).toBe(value)
  await shown.getByRole('button', { name: keysText.saveDone }).click()
  await expect(shown).toBeHidden()
  return value
}

const openPage = (page: Page, path: string) =>
  page.getByRole('navigation', { name: shellText.mainNav }).locator(`a[href="${path}"]`).click()

test('an API key: made when the server can, shown once, in samples to be copied until the page is left, edited, disabled, given another value, deleted; its use is told by period, day and model; a provision key: made with caps, edited, deleted', async () => {
  const client = await world.user()
  await createUsedKey(world, client, 'flat', 'flat', 'twofold')
  // An invalid address is refused.
  const expectedErrors = /status of (422|503)|ERR_FAILED/
  const page = await world.visit('/profile/api-keys', { client, expectedErrors })
  await expect(row(page, '默认密钥')).toBeVisible()
  await expect(code(page)).toContainText('Bearer YOUR_API_KEY')

  await button(page, keysText.create).click()
  const form = dialog(page, keysText.createTitle)
  await form.getByLabel(keysText.name).fill('生产环境')
  await form.getByLabel(fieldsText.credit_limit.label).fill('十')
  await form.getByRole('button', { name: keysText.create }).click()
  await expect(form.getByText(keysText.notNumber)).toBeVisible()
  await form.getByLabel(fieldsText.credit_limit.label).fill('10')
  await form.getByLabel(keysText.expired_at).fill('2099-01-31')
  // A failure is reported, and the form keeps its contents.
  const failures = [{ status: 503, json: { message: '服务繁忙，请稍后再试' } }, null]
  await page.route('**/api/api_keys', (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    const failure = failures[0]
    return failure ? route.fulfill(failure) : route.abort()
  })
  for (const reason of ['服务繁忙，请稍后再试', keysText.createFailed]) {
    await form.getByRole('button', { name: keysText.create }).click()
    await expect(form.getByRole('alert')).toHaveText(reason)
    await expect(form.getByLabel(keysText.name)).toHaveValue('生产环境')
    failures.shift()
  }
  await page.unroute('**/api/api_keys')
  await form.getByRole('button', { name: keysText.create }).click()
  const value = await readKeyValue(page)
  expect(value).toMatch(/^sk-wq-[0-9A-Za-z]{49}$/)
  await expect(row(page, '生产环境')).toContainText('0.00 / 10.00')
  await expect(row(page, '生产环境')).toContainText('2099-01-31')
  await expect(code(page)).toContainText(`Bearer ${value}`)
  await button(page, docsText.copyOf('')).click()
  await expect.poll(() => readClipboard(page)).toContain(`Bearer ${value}`)

  await page.getByRole('tab', { name: samplesText.tabs.curl }).press('End')
  await expect(page.getByRole('tab', { name: samplesText.tabs.lobechat })).toBeFocused()
  await button(page, docsText.copyField(samplesText.fields.key)).click()
  await expect.poll(() => readClipboard(page)).toBe(value)
  await button(page, docsText.copyField(samplesText.fields.proxy)).click()
  await expect.poll(() => readClipboard(page)).toMatch(/\/api\/v1$/)
  await page.getByRole('tab', { name: samplesText.tabs.anthropic }).click()
  await button(page, docsText.copyOf(samplesText.node)).click()
  await expect.poll(() => readClipboard(page)).toMatch(/baseURL: ".*\/api",\n/)

  await openPage(page, '/profile/provision-keys')
  await expect(page.getByText(provisionText.empty)).toBeVisible()
  await button(page, provisionText.create).click()
  const provisionForm = dialog(page, provisionText.createTitle)
  await provisionForm.getByLabel(keysText.name).fill('发放')
  await provisionForm.getByLabel(fieldsText.max_credit_limit.label).fill('50')
  await provisionForm.getByLabel(fieldsText.total_credit_limit.label).fill('500')
  await provisionForm.getByLabel('低价优先').check()
  await provisionForm.getByRole('button', { name: provisionText.create }).click()
  const provisionValue = await readKeyValue(page)
  expect(provisionValue).toMatch(/^pk-wq-/)
  await button(page, docsText.copyOf('')).click()
  await expect.poll(() => readClipboard(page)).toContain(`Bearer ${provisionValue}`)
  await expect(row(page, '发放')).toContainText(
    '每个不超过 50.00 金币，合计已用 0.00 / 500.00 金币，低价优先',
  )
  await chooseMenuItem(page, '发放', keysText.edit)
  const provisionEdit = dialog(page, provisionText.editTitle)
  await provisionEdit.getByLabel('低价优先').uncheck()
  await provisionEdit.getByLabel(fieldsText.total_credit_limit.label).fill('300')
  await provisionEdit.getByRole('button', { name: uiText.save }).click()
  await expect(row(page, '发放')).not.toContainText('低价优先')
  await expect(row(page, '发放')).toContainText('0.00 / 300.00 金币')
  await chooseMenuItem(page, '发放', keysText.remove)
  await dialog(page, provisionText.removeTitle).getByRole('button', { name: keysText.remove }).click()
  await expect(page.getByText(provisionText.empty)).toBeVisible()
  await openPage(page, '/profile/api-keys')
  await expect(row(page, '生产环境')).toBeVisible()
  await expect(code(page)).toContainText('Bearer YOUR_API_KEY')
  expect(await page.content()).not.toContain(value)

  await chooseMenuItem(page, '生产环境', keysText.edit)
  const edit = dialog(page, keysText.editTitle)
  await edit.getByLabel(keysText.name).fill('生产')
  await edit.getByText(keysText.advanced).click()
  await edit.getByLabel(fieldsText.allowed_addresses.label).fill('不是地址')
  await edit.getByRole('button', { name: uiText.save }).click()
  await expect(edit.getByRole('alert')).toHaveText('请求参数错误，请检查无误后再提交')
  await edit.getByLabel(fieldsText.allowed_addresses.label).fill('203.0.113.0/24')
  await edit.getByRole('button', { name: uiText.save }).click()
  await expect(edit).toBeHidden()
  await expect(row(page, '生产环境')).toHaveCount(0)

  await chooseMenuItem(page, '生产', keysText.disable)
  await expect(row(page, '生产')).toContainText(keysText.statuses.disabled)
  await chooseMenuItem(page, '生产', keysText.rotate)
  await dialog(page, keysText.rotateTitle).getByRole('button', { name: keysText.rotate }).click()
  const rotated = await readKeyValue(page)
  expect(rotated).not.toBe(value)
  await expect(code(page)).toContainText(`Bearer ${rotated}`)
  await chooseMenuItem(page, '生产', keysText.remove)
  await dialog(page, keysText.removeTitle).getByRole('button', { name: keysText.remove }).click()
  await expect(row(page, '生产')).toHaveCount(0)
  await expect(row(page, '默认密钥')).toBeVisible()
  expect(await page.content()).not.toContain(rotated)

  await chooseMenuItem(page, '示例', keysText.usage)
  const shown = dialog(page, keysText.usageTitle('示例'))
  await expect(shown.getByRole('button', { name: keysText.month })).toHaveAttribute('aria-pressed', 'true')
  await expect(shown.getByRole('button', { name: keysText.today })).toContainText(keysText.requests('3'))
  await expect(shown.getByRole('figure')).toContainText(keysText.byDay)
  const flat = shown.getByRole('listitem').filter({ hasText: modelNames.flat })
  await expect(flat).toContainText(`2.00 ${keysText.coins}`)
  await shown.getByRole('button', { name: keysText.today }).click()
  await expect(shown.getByRole('listitem')).toHaveCount(2)
})
