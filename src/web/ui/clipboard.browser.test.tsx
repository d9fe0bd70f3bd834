import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { uiText } from '#web/text/ui.ts'
import { copyText } from './clipboard.ts'
import { Toaster } from './Toaster.tsx'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('a copy is confirmed for a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  const { container } = await render(<Toaster />)
  await copyText('活水')
  expect(write).toHaveBeenCalledWith('活水')
  const getNotices = () => [...container.querySelectorAll('li')].map(({ textContent }) => textContent)
  await vi.advanceTimersByTimeAsync(999)
  expect(getNotices()).toEqual([uiText.copied])
  await vi.advanceTimersByTimeAsync(1)
  expect(getNotices()).toEqual([])
})

test('a browser that refuses to copy is told of, and so is one that cannot', async () => {
  await render(<Toaster />)
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('no', 'NotAllowedError'))
  await copyText('活水')
  await expect.element(page.getByText(uiText.copyFailed)).toBeVisible()
  // As on a page over plain HTTP.
  vi.stubGlobal('navigator', { clipboard: undefined })
  await copyText('活水')
  await expect.element(page.getByText(uiText.copyUnsupported)).toBeVisible()
  expect(page.getByText(uiText.copied).query()).toBeNull()
})
