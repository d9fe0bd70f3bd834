import fc from 'fast-check'
import { expect, test } from 'vitest'
import { retryAfter } from '#server/llm/retry-after.ts'
import { estimatePrompt, estimateTokens } from '#server/llm/estimate.ts'

test('no text is nothing, any text is at least one token, more text is never less', () => {
  expect(estimateTokens('', 'qwen-plus')).toBe(0)
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }),
      fc.string(),
      fc.constantFrom('qwen-plus', 'gpt-5'),
      (a, b, model) => {
        expect(estimateTokens(a, model)).toBeGreaterThan(0)
        expect(estimateTokens(a + b, model)).toBeGreaterThanOrEqual(estimateTokens(a, model))
      },
    ),
  )
})

test.each([
  ['中文'.repeat(500), 'deepseek-chat', 600],
  ['中文'.repeat(500), 'gpt-4.1', 850],
  ['word '.repeat(200), 'deepseek-chat', 300],
])('estimates as the makers publish', (text, model, tokens) => {
  expect(estimateTokens(text, model)).toBe(tokens)
})

test('a prompt is its messages and what the template puts around each', () => {
  const messages = [
    { role: 'system' as const, content: '中文'.repeat(5) },
    { role: 'user' as const, content: '' },
  ]
  expect(estimatePrompt(messages, 'qwen-plus')).toBe(6 + 4 + 4)
})

test.each([
  [undefined, null],
  ['', null],
  ['17', 17],
  ['999999999', 86_400],
  ['Thu, 01 Jan 1970 00:01:00 GMT', 60],
  ['Wed, 31 Dec 1969 00:00:00 GMT', 0],
  ['soon', null],
])('Retry-After %s', (header, seconds) => {
  expect(retryAfter(header, 0)).toBe(seconds)
})
