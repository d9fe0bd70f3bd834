import { describe, test } from 'vitest'
import { keysText, provisionText } from '#web/text/keys.ts'
import { samplesText } from '#web/text/docs/samples.ts'
import { findAccessibilityViolations } from '../../world/browser.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { button, expect } from '../screen/chat-screen.ts'
import { chooseMenuItem, createUsedKey, dialog, visitProfile } from './key-screen.ts'

const world = useBrowserWorld()

describe.each(['light', 'dark', 'phone'] as const)('%s: no barriers', (look) => {
  test('signed out', async () => {
    const page = await visitProfile(world, '/profile/api-keys', { look })
    await expect(page.getByText(keysText.signIn)).toBeVisible()
    expect(await findAccessibilityViolations(page)).toEqual([])
  })

  test('in the lists, the menu and the dialogs', async () => {
    const client = await world.user()
    await createUsedKey(world, client, 'flat')
    await client.call('POST /api/provision_keys', { body: { name: '系统', max_days: 30 } })
    const page = await visitProfile(world, '/profile/api-keys', { look, client })
    await expect(page.getByText('示例', { exact: true })).toBeVisible()
    expect(await findAccessibilityViolations(page)).toEqual([])
    await button(page, keysText.menu('示例')).click()
    expect(await findAccessibilityViolations(page)).toEqual([])
    await page.getByRole('menuitem', { name: keysText.edit }).click()
    await dialog(page, keysText.editTitle).getByText(keysText.advanced).click()
    expect(await findAccessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await chooseMenuItem(page, '示例', keysText.usage)
    await expect(page.getByRole('figure')).toBeVisible()
    expect(await findAccessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: keysText.today }).click()
    expect(await findAccessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await chooseMenuItem(page, '默认密钥', keysText.usage)
    await expect(page.getByText(keysText.noUsage)).toBeVisible()
    expect(await findAccessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await chooseMenuItem(page, '示例', keysText.rotate)
    await dialog(page, keysText.rotateTitle).getByRole('button', { name: keysText.rotate }).click()
    await expect(dialog(page, keysText.valueTitle)).toBeVisible()
    expect(await findAccessibilityViolations(page)).toEqual([])

    const other = await visitProfile(world, '/profile/provision-keys', { look, client })
    await expect(other.getByText('系统', { exact: true })).toBeVisible()
    expect(await findAccessibilityViolations(other)).toEqual([])
    await chooseMenuItem(other, '系统', keysText.edit)
    expect(await findAccessibilityViolations(other)).toEqual([])
    await other.keyboard.press('Escape')
    await chooseMenuItem(other, '系统', keysText.remove)
    await expect(dialog(other, provisionText.removeTitle)).toBeVisible()
    expect(await findAccessibilityViolations(other)).toEqual([])
  })

  test('in each sample', async () => {
    const page = await visitProfile(world, '/profile/api-keys', { look, client: await world.user() })
    for (const name of Object.values(samplesText.tabs)) {
      await page.getByRole('tab', { name, exact: true }).click()
      await expect(page.getByRole('tabpanel', { name })).toBeVisible()
      expect(await findAccessibilityViolations(page), name).toEqual([])
    }
    const width = page.viewportSize()!.width
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  })
})
