import { beforeAll, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import boot from '#web/public/boot.js?raw'

/** Runs the script of every page, which then listens as long as this document is there. */
beforeAll(() => {
  const { className } = document.documentElement
  const script = document.createElement('script')
  script.dataset.entry = 'data:text/javascript,'
  script.textContent = boot
  document.head.append(script)
  script.remove()
  document.documentElement.className = className
})

/** Shows a page as the server has drawn it. */
const renderPicture = () =>
  render(
    <div data-server-rendered="">
      <textarea aria-label="问题" />
      <button>发送</button>
      <button>另一个</button>
    </div>,
  )

/** Lets the app take the page over; returns what it hears from then on. */
function takeOver(): string[] {
  const heard: string[] = []
  const root = document.querySelector('[data-server-rendered]')!
  root.removeAttribute('data-server-rendered')
  for (const type of ['mousedown', 'click', 'keydown'])
    root.addEventListener(type, ({ target }) => {
      const { ariaLabel, textContent } = target as Element
      heard.push(`${type} ${ariaLabel ?? textContent}`)
    })
  dispatchEvent(new Event('hydrated'))
  return heard
}

const click = (name: string) => page.getByRole('button', { name }).click()

test('the last click before the app runs is repeated once, with its press; a question that was sent by Enter goes before clicks, and stays in its field', async () => {
  const { unmount } = await renderPicture()
  await click('另一个')
  await click('发送')
  const heard = takeOver()
  await expect.poll(() => heard).toEqual(['mousedown 发送', 'click 发送'])
  await click('另一个')
  expect(heard.slice(2)).toEqual(['mousedown 另一个', 'click 另一个'])
  await unmount()

  await renderPicture()
  const field = page.getByRole('textbox')
  await field.fill('渠水为何清')
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}')
  await expect.element(field).toHaveValue('渠水为何清\n')
  await userEvent.keyboard('{Enter}')
  await expect.element(field).toHaveValue('渠水为何清\n')
  await click('发送')
  expect(takeOver()).toEqual(['keydown 问题'])
})
