import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '#web/styles/app.css'
import { Menu } from './Menu.tsx'
import type { MenuItem } from './Menu.tsx'

const items: MenuItem[] = ['浅色', '深色', '系统'].map((label) => ({
  label,
  checked: label === '深色',
  onSelect: () => {},
}))

function Example({ items: shown }: { items: MenuItem[] }) {
  return (
    <div className="fixed right-2 bottom-2">
      <Menu items={shown} placement="bottom-start" trigger={(props) => <button {...props}>外观</button>} />
    </div>
  )
}

test('a menu whose items come when it is open stays within the window, and has the focus', async () => {
  const { rerender } = await render(<Example items={[]} />)
  await page.getByRole('button', { name: '外观' }).click()
  await expect.element(page.getByRole('menu')).toBeVisible()
  await rerender(<Example items={items} />)
  await expect.element(page.getByRole('menuitemradio', { checked: true })).toHaveFocus()
  for (const item of page.getByRole('menuitemradio').all())
    await expect.element(item).toBeInViewport({ ratio: 1 })
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('menuitemradio')).not.toBeInTheDocument()
})
