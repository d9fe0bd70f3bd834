import { useRef } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { useFollowEnd } from './useFollowEnd.ts'

function Column({ lines }: { lines: number }) {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  useFollowEnd(scroller, content)
  return (
    <div ref={scroller} role="region" aria-label="栏" style={{ height: 200, overflowY: 'auto' }}>
      <div ref={content} style={{ height: lines * 20 }} />
    </div>
  )
}

const waitForFrame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))

test.each([
  ['stays at its end while it is written', null, 800],
  ['that was scrolled up a little stays there', 280, 280],
  ['that was scrolled to its top stays there', 0, 0],
])('a column %s', async (_, scrolledTo, top) => {
  const { rerender } = await render(<Column lines={25} />)
  const column = page.getByRole('region').element()
  await expect.poll(() => column.scrollTop).toBe(300)
  if (scrolledTo !== null) column.scrollTop = scrolledTo
  await waitForFrame()
  await rerender(<Column lines={50} />)
  await waitForFrame()
  await expect.poll(() => column.scrollTop).toBe(top)
})

test('a column whose reader comes back to its end follows it again', async () => {
  const { rerender } = await render(<Column lines={25} />)
  const column = page.getByRole('region').element()
  await expect.poll(() => column.scrollTop).toBe(300)
  column.scrollTop = 100
  await waitForFrame()
  column.scrollTop = 300
  await waitForFrame()
  await rerender(<Column lines={50} />)
  await expect.poll(() => column.scrollTop).toBe(800)
})
