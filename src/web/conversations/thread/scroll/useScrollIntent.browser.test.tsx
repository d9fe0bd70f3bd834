import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { useScrollIntent } from './useScrollIntent.ts'

/** The pressed keys that released the list. */
const released: string[] = []
function Example() {
  const { direction, handlers } = useScrollIntent({
    release: () => released.push(direction.current),
    isHeld: () => false,
  })
  return <div role="log" tabIndex={0} {...handlers} />
}

test('keys that scroll up release a list that follows its end, those that scroll down do not', async () => {
  await render(<Example />)
  page.getByRole('log').element().focus()
  for (const key of ['PageDown', 'End', ' ', 'ArrowDown', 'a']) await userEvent.keyboard(`{${key}}`)
  expect(released).toEqual([])
  for (const key of ['PageUp', 'Home', 'ArrowUp']) {
    await userEvent.keyboard(`{${key}}`)
    expect(released.splice(0), key).toEqual(['up'])
  }
})
