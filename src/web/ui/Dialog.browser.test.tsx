import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '#web/styles/app.css'
import { Dialog } from './Dialog.tsx'

function Example() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button onClick={() => setOpen(true)}>打开</button>
      <Dialog open={isOpen} onOpenChange={setOpen} title="改名" description="新的名字">
        <input aria-label="名字" />
      </Dialog>
    </>
  )
}

test('a dialog takes the focus, keeps it, and gives it back on Escape', async () => {
  await render(<Example />)
  const opener = page.getByRole('button', { name: '打开' })
  await opener.click()
  const dialog = page.getByRole('dialog', { name: '改名' })
  await expect.element(dialog).toHaveAccessibleDescription('新的名字')
  await expect.element(page.getByLabelText('名字')).toHaveFocus()
  await userEvent.tab()
  await expect.element(page.getByRole('button', { name: '关闭' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(opener).toHaveFocus()
})

function Passing() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button onClick={() => setOpen(true)}>打开</button>
      {isOpen && <Dialog open onOpenChange={setOpen} title="分享" />}
    </>
  )
}

test('a dialog that is there only while it is open gives the focus back, too', async () => {
  await render(<Passing />)
  const opener = page.getByRole('button', { name: '打开' })
  await opener.click()
  await expect.element(page.getByRole('button', { name: '关闭' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(opener).toHaveFocus()
})
