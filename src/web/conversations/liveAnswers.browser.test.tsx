import { useLayoutEffect } from 'react'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { setLiveAnswer, useLiveAnswer } from './liveAnswers.ts'
import { createLocalAnswer } from './messages.ts'
import type { Message } from './messages.ts'

const shownTexts: string[] = []

function Example({ message }: { message: Message }) {
  const { text } = useLiveAnswer(message)
  useLayoutEffect(() => void shownTexts.push(`${message.status}: ${text}`))
  return text
}

test('an answer that has ended is whole from the moment on in which it counts as ended', async () => {
  const message = createLocalAnswer('scripted')
  const { rerender } = await render(<Example message={message} />)
  setLiveAnswer(message.id, { text: 'min', reasoning: '', reasoning_ms: null })
  await expect.poll(() => shownTexts.at(-1)).toBe('typing: min')
  setLiveAnswer(message.id, { text: 'mindmap', reasoning: '', reasoning_ms: null })
  await rerender(<Example message={{ ...message, status: 'done', text: 'mindmap' }} />)
  setLiveAnswer(message.id, null)
  await expect.poll(() => shownTexts.at(-1)).toBe('done: mindmap')
  expect([...new Set(shownTexts.filter((one) => one.startsWith('done')))]).toEqual(['done: mindmap'])
})
