import { createCanvas } from '@napi-rs/canvas'
import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { picturesText } from '#web/text/pictures.ts'
import { settingText } from '#web/text/setting.ts'
import { shellText } from '#web/text/shell.ts'
import { uiText } from '#web/text/ui.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { button, expect, expectNotice } from '../screen/chat-screen.ts'

const world = useBrowserWorld()

/** Draws a wide picture, red on the left and blue on the right. */
function drawPhoto(): Buffer {
  const canvas = createCanvas(900, 300)
  const context = canvas.getContext('2d')
  context.fillStyle = '#f00'
  context.fillRect(0, 0, 450, 300)
  context.fillStyle = '#00f'
  context.fillRect(450, 0, 450, 300)
  return canvas.toBuffer('image/png')
}
const photo = { name: '照片.png', mimeType: 'image/png', buffer: drawPhoto() }

const field = (page: Page) => page.getByRole('group', { name: settingText.avatar })
const picker = (page: Page) => field(page).locator('input[type=file]')
const dialog = (page: Page) => page.getByRole('dialog', { name: picturesText.crop })
const account = (page: Page) => page.getByRole('button', { name: /的账户菜单$/ })
/** Reads the colours of the picture in the account's card at its left and right edge. */
const readColors = (page: Page) =>
  account(page)
    .locator('img')
    .evaluate(async (image: HTMLImageElement) => {
      await image.decode()
      const canvas = document.createElement('canvas')
      const context = canvas.getContext('2d')!
      context.drawImage(image, 0, 0)
      const toName = ([red = 0, , blue = 0]: Uint8ClampedArray) => (red > blue ? 'red' : 'blue')
      return [10, 245].map((x) => toName(context.getImageData(x, 128, 1, 1).data))
    })

/** Saves the picture in the dialog, and waits until it has replaced the one before. */
async function saveOther(page: Page): Promise<void> {
  const before = await account(page).locator('img').getAttribute('src')
  await dialog(page).getByRole('button', { name: uiText.confirm }).click()
  await expect(account(page).locator('img')).not.toHaveAttribute('src', before!)
}

test('an avatar is chosen, moved into place by mouse or keys, saved and shown beside the name, and removed; a name is saved, an empty one cannot be; what is no picture, or refused, is said beside the field', async () => {
  const client = await world.user()
  const page = await world.visit('/profile/setting', { client, expectedErrors: /status of 413/ })
  await picker(page).setInputFiles(photo)
  await expect(dialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await picker(page).setInputFiles(photo)
  await expectNotice(page, settingText.saved, () =>
    dialog(page).getByRole('button', { name: uiText.confirm }).click(),
  )
  await expect(account(page).locator('img')).toHaveAttribute('src', /^\/pictures\//)
  // The middle of the picture, unchanged.
  expect(await readColors(page)).toEqual(['red', 'blue'])

  await picker(page).setInputFiles(photo)
  const area = dialog(page).getByRole('button', { name: picturesText.cropArea })
  await expect(area).toBeVisible()
  const box = (await area.boundingBox())!
  await page.mouse.move(box.x + 20, box.y + 100)
  await page.mouse.down()
  await page.mouse.move(box.x + 270, box.y + 100, { steps: 5 })
  await page.mouse.up()
  await saveOther(page)
  expect(await readColors(page)).toEqual(['red', 'red'])

  await picker(page).setInputFiles(photo)
  await dialog(page).getByRole('slider', { name: picturesText.zoom }).fill('2')
  await area.focus()
  for (let press = 0; press < 40; press++) await page.keyboard.press('ArrowLeft')
  await saveOther(page)
  expect(await readColors(page)).toEqual(['blue', 'blue'])

  await expect(field(page).locator('img')).toHaveAttribute('src', /^\/pictures\//)
  const getAvatar = async () => (await client.call('GET /api/user/info', {})).avatar
  expect(await getAvatar()).toMatch(/^\/pictures\//)
  await field(page).getByRole('button', { name: picturesText.remove }).click()
  await expect(account(page).locator('img')).toHaveCount(0)
  await expect(field(page).getByRole('button', { name: picturesText.choose })).toBeVisible()
  expect(await getAvatar()).toBeFalsy()

  const name = page.getByLabel(settingText.name)
  const save = button(page, uiText.save).first()
  await expect(save).toBeDisabled()
  await name.fill(' ')
  await expect(save).toBeDisabled()
  await name.fill('晦庵先生')
  await expectNotice(page, settingText.saved, () => save.click())
  await expect(page.getByRole('button', { name: shellText.account('晦庵先生') })).toBeVisible()
  await expect(save).toBeDisabled()

  const drop = (name: string) =>
    field(page).evaluate((element, fileName) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['no picture'], fileName, { type: 'image/png' }))
      element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    }, name)
  await drop('页面.png')
  await expect(field(page)).toContainText(picturesText.unreadable)
  await page.route('**/api/user/info', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 413, json: { message: '图片太大', code: 'picture_too_large' } })
      : route.continue(),
  )
  await picker(page).setInputFiles(photo)
  await dialog(page).getByRole('button', { name: uiText.confirm }).click()
  await expect(field(page)).toContainText('图片太大')
})
