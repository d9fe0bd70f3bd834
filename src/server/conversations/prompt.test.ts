import { expect, test } from 'vitest'
import { buildPrompt } from './prompt.ts'
import type { MessageRow } from './messages/store.ts'

const MODEL = { id: 'deepseek-chat', context_window: 1_000 }

/** Ten turns of about 180 tokens, newest first, as a page of messages. */
const history = Array.from({ length: 10 }, (_, nth) => 9 - nth).flatMap((nth): MessageRow[] => {
  const row = { chat_id: `${nth}`, lane: '', status: 'done', text: `${nth} ${'word '.repeat(50)}` }
  return [
    { ...row, role: 'ai' },
    { ...row, role: 'human' },
  ] as MessageRow[]
})
const countTurns = (more: { system?: string; reserved_tokens?: number; question?: string }): number => {
  const parts = { question: '?', partial_answer: '', lane: '', system: '', reserved_tokens: 0, ...more }
  const prompt = buildPrompt({ ...parts, history, model: MODEL })
  expect(prompt.at(-1)).toEqual({ role: 'user', content: parts.question })
  return prompt.filter(({ role }) => role === 'assistant').length
}

test('as many of the latest turns are sent as the question, the system text and what is reserved leave room for', () => {
  expect(countTurns({})).toBe(4)
  const text = 'word '.repeat(200)
  expect([
    countTurns({ system: text }),
    countTurns({ question: text }),
    countTurns({ reserved_tokens: 300 }),
  ]).toEqual([2, 2, 2])
  expect(countTurns({ reserved_tokens: 1_000 })).toBe(0)
})
