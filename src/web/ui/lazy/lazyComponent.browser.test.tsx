import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { loadFailedText as text } from '#web/text/loadFailed.ts'
import { Dialog } from '../Dialog.tsx'
import { lazyComponent } from './lazyComponent.tsx'

/** Tells whether the next loads of a part succeed, and whether the server answers. */
let can = { load: false, reach: false }
const loadParts: string[] = []

beforeEach(() => {
  can = { load: false, reach: false }
  loadParts.length = 0
  vi.stubGlobal('fetch', () =>
    can.reach ? Promise.resolve(new Response()) : Promise.reject(new TypeError()),
  )
})
afterEach(() => void vi.unstubAllGlobals())

const load = async <T,>(part: T): Promise<{ default: T }> => {
  loadParts.push('')
  if (!can.load) throw new TypeError()
  return { default: part }
}

type DialogProps = { open: boolean; onClose: () => void }
const SharePart = ({ open, onClose }: DialogProps) => (
  <Dialog open={open} onOpenChange={onClose} title="分享">
    链接
  </Dialog>
)

function createExample() {
  const Share = lazyComponent(() => load(SharePart), {
    getOnClose: ({ open, onClose }: DialogProps) => open && onClose,
  })
  return function Example() {
    const [isOpen, setOpen] = useState(false)
    return (
      <>
        <button onClick={() => setOpen(true)}>打开</button>
        <Share open={isOpen} onClose={() => setOpen(false)} />
      </>
    )
  }
}

const opener = page.getByRole('button', { name: '打开' })
const failure = page.getByRole('dialog', { name: text.title })
const dialog = page.getByRole('dialog', { name: '分享' })

test('a dialog that does not come without a network says so, can be left, and comes when it is asked for again', async () => {
  const Example = createExample()
  await render(<Example />)
  expect(loadParts).toHaveLength(0)
  await opener.click()
  await expect.element(failure).toHaveAccessibleDescription(text.hint)
  await userEvent.keyboard('{Escape}')
  await expect.element(failure).not.toBeInTheDocument()
  await expect.element(opener).toHaveFocus()

  await opener.click()
  const retry = failure.getByRole('button', { name: text.retry })
  await retry.click()
  await expect.poll(() => loadParts.length).toBe(3)
  await expect.element(retry).toBeEnabled()
  can.load = true
  await retry.click()
  await expect.element(dialog).toBeVisible()
  await expect.element(failure).not.toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(opener).toHaveFocus()
  expect(loadParts).toHaveLength(4)
})

test('a part that does not come though the server answers, since a new version removed it, offers a reload', async () => {
  can.reach = true
  const Example = createExample()
  await render(<Example />)
  await opener.click()
  await expect.element(failure).toHaveAccessibleDescription(text.stale)
  await expect.element(failure.getByRole('button', { name: text.reload })).toBeVisible()
  // A part that was late for a moment comes at the second try.
  expect(loadParts).toHaveLength(2)
})

test('a part within the page, or a whole page, comes by itself when the network is back; a dispensable one fails silently', async () => {
  const Part = lazyComponent(() => load(() => <p>找到的消息</p>), { fallback: () => <p>稍等</p> })
  const Page = lazyComponent(() => load(() => <h1>模型</h1>), { page: true })
  const Mark = lazyComponent(() => load(() => <i>角标</i>), { silent: true })
  await render(
    <>
      <Part />
      <Page />
      <Mark />
    </>,
  )
  await expect.element(page.getByText(text.title)).toBeVisible()
  await expect.element(page.getByRole('heading', { name: text.pageTitle })).toBeVisible()
  expect(page.getByRole('alert').elements()).toHaveLength(2)
  await expect.element(page.getByText('稍等')).not.toBeInTheDocument()
  can.load = true
  dispatchEvent(new Event('online'))
  for (const shown of ['找到的消息', '模型', '角标'])
    await expect.element(page.getByText(shown)).toBeVisible()
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})
