import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { agentsText } from '#web/text/agents/agents.ts'
import { apiText } from '#web/text/api.ts'
import { blocksText } from '#web/text/blocks.ts'
import { filesText } from '#web/text/files.ts'
import { upload, waitUntilRead } from '../../files/upload.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { chooseMenuItem } from '../agents/agent-screen.ts'
import { button, expect, expectNotice, pageLabel } from '../screen/chat-screen.ts'
import { cut, FAILED_CALLS, failWordless, interceptCall, REASON, refuse } from './provoke.ts'

const world = useBrowserWorld()
const picker = (page: Page) => page.locator('main input[type=file]')
const queue = (page: Page) => page.getByRole('list', { name: filesText.uploads }).getByRole('listitem')
const file = { name: '渠.md', mimeType: 'text/markdown', buffer: Buffer.from('源头活水') }

test('an upload says at once that there is no credential, that it was not sent, or not saved, and is tried again; a file and a link are not added at the same time', async () => {
  const page = await world.visit('/block', { client: await world.user(), expectedErrors: FAILED_CALLS })
  await expect(page.getByText(blocksText.empty)).toBeVisible()
  const retry = button(page, filesText.retry(file.name))
  let undo = await interceptCall(page, 'GET /api/cos/credential', refuse)
  await picker(page).setInputFiles(file)
  await expect(queue(page)).toContainText(filesText.failed(REASON))
  await undo()
  await page.route('**/s3/**', (route) => route.fulfill({ status: 403 }))
  await retry.click()
  await expect(queue(page)).toContainText(filesText.failed('文件上传失败，请重试'))
  await page.unroute('**/s3/**')

  undo = await interceptCall(page, 'POST /api/block', (route) => route.fulfill({ status: 400, body: '' }))
  await retry.click()
  await expect(queue(page)).toContainText(filesText.failed('文件保存失败，请重试'))
  await undo()
  undo = await interceptCall(page, 'POST /api/block', refuse)
  await retry.click()
  await expect(queue(page)).toContainText(filesText.failed(REASON))
  await undo()
  await retry.click()
  await expect(queue(page)).toHaveCount(0)
  await expect(page.getByRole('link', { name: file.name })).toBeVisible()

  const link = page.getByLabel(blocksText.link)
  const held = Promise.withResolvers<void>()
  const links: string[] = []
  await interceptCall(page, 'GET /api/block/link/extract', async (route) => {
    links.push(route.request().url())
    await held.promise
    return refuse(route)
  })
  await link.fill('site.example')
  await button(page, blocksText.linkAdd).click()
  const other = { ...file, name: '源.md', buffer: Buffer.from('另一段') }
  await expectNotice(page, '有未完成的任务正在处理，请稍候', () => picker(page).setInputFiles(other))
  await expect(queue(page)).toHaveCount(0)
  await expectNotice(page, REASON, async () => held.resolve())
  expect(links).toHaveLength(1)

  const stored = Promise.withResolvers<void>()
  await page.route('**/s3/**', async (route) => {
    await stored.promise
    return route.continue()
  })
  await picker(page).setInputFiles(other)
  await expect(queue(page)).toHaveCount(1)
  await expectNotice(page, '有未完成的任务正在处理，请稍候', () => button(page, blocksText.linkAdd).click())
  await expect(link).toHaveValue('site.example')
  expect(links).toHaveLength(1)
  stored.resolve()
  await expect(page.getByRole('link', { name: other.name })).toBeVisible()
})

test('a document that is being read, could not be read, or cannot be loaded says so in the place of its content; an agent that cannot be deleted stays, and the reason is told', async () => {
  const client = await world.user()
  const { id } = await upload(world, client, { name: '渠.md', content: '源头活水', channel: 'block' })
  const data = await waitUntilRead(client, id)
  await client.call('POST /api/agent', { body: { name: '观书' } })
  const page = await world.visit('/block', { client, expectedErrors: FAILED_CALLS })
  let status = 0
  await interceptCall(page, 'GET /api/block/{id}', (route) =>
    route.fulfill({ json: { data: { ...data, status } } }),
  )
  await interceptCall(page, 'GET /api/block/{id}/detail', failWordless)
  await page.getByRole('link', { name: '渠.md' }).click()
  // The page asks again until it has been read.
  for (const [next, message] of [
    [0, '文件正在读取识别中，请稍后再试'],
    [3, '文件读取失败'],
  ] as const) {
    status = next
    await expect(page.getByText(message).first()).toBeVisible()
  }
  status = 2
  await page.reload()
  await expect(page.getByText('获取内容详情失败')).toBeVisible()

  await page.getByRole('link', { name: pageLabel('AgentList', 'sidebar'), exact: true }).click()
  const remove = async () => {
    await chooseMenuItem(page, '观书', agentsText.remove)
    await page.getByRole('dialog').getByRole('button', { name: agentsText.remove }).click()
  }
  const undo = await interceptCall(page, 'DELETE /api/agent/{id}', refuse)
  await expectNotice(page, REASON, remove)
  await undo()
  await interceptCall(page, 'DELETE /api/agent/{id}', cut)
  await expectNotice(page, apiText.network, remove)
})
