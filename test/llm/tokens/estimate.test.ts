import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRetryAfter } from '#server/llm/providers/error-response.ts'
import { estimateInput, estimatePrompt, estimateTokens } from '#server/llm/tokens/estimate.ts'

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

test('every character counts as the script that it is of', () => {
  const cjk =
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/gu
  const estimated = (text: string): number => {
    const found = text.match(cjk)?.length ?? 0
    return Math.max(1, Math.ceil(found * 0.6 + (text.length - found) * 0.3))
  }
  // Lone surrogates are among them.
  for (let code = 0; code <= 0x10_ffff; code += 16) {
    const block = Array.from({ length: 16 }, (_, nth) => String.fromCodePoint(code + nth))
    const text = block.map((character) => `${character}a`.repeat(4)).join('')
    if (estimateTokens(text, 'qwen-plus') !== estimated(text)) expect.fail(`U+${code.toString(16)}`)
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
      expect(estimateTokens(text, 'qwen-plus')).toBe(estimated(text))
    }),
  )
})

test('what a model is given is its prompt and its tools', () => {
  const messages = [{ role: 'user' as const, content: '中文'.repeat(5) }]
  expect(estimateInput({ messages }, 'qwen-plus')).toBe(6 + 4)
  const tools = [{ name: 'weather', description: 'a'.repeat(1_000), parameters: { type: 'object' } }]
  const more = estimateInput({ messages, tools }, 'qwen-plus') - estimateInput({ messages }, 'qwen-plus')
  expect(more).toBe(Math.ceil(JSON.stringify(tools).length * 0.3))
})

test('a prompt is its messages and what the template puts around each', () => {
  const messages = [
    { role: 'system' as const, content: '中文'.repeat(5) },
    { role: 'user' as const, content: '' },
  ]
  expect(estimatePrompt(messages, 'qwen-plus')).toBe(6 + 4 + 4)
  const providerOptions = { openai: { reasoning_content: '想'.repeat(10), more: [1, 2, 3] } }
  const withFields = [{ role: 'user' as const, content: '', provider_options: providerOptions }]
  expect(estimatePrompt(withFields, 'qwen-plus')).toBe(Math.ceil(10 * 0.6 + '[1,2,3]'.length * 0.3) + 4)
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
  expect(parseRetryAfter(header, 0)).toBe(seconds)
})
