import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countTokens } from '#server/llm/tokens/tokenizer.ts'

test.each([
  ['', 'gpt-4o', 0],
  ['hello world', 'gpt-4o', 2],
  ['源头', 'gpt-4o', 2],
  ['<|endoftext|>', 'gpt-4o', 1],
])('%j has as many tokens as its tokenizer says', async (text, model, tokens) => {
  expect(await countTokens(text, model)).toBe(tokens)
})

test('the Chinese makers count Chinese shorter', async () => {
  const text = '问渠那得清如许，为有源头活水来。'.repeat(40)
  expect(await countTokens(text, 'deepseek-chat')).toBe(Math.ceil((await countTokens(text, 'gpt-4o')) * 0.75))
})

test('any text is counted, in time that grows with its length only', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 3000 }), async (text) => {
      const tokens = await countTokens(text, 'gpt-4o')
      expect(tokens > 0).toBe(text.length > 0)
      expect(tokens).toBeLessThanOrEqual(Buffer.byteLength(text) + 3)
    }),
  )
  for (const character of ['a', '啊', ' ', '\ud800']) {
    expect(await countTokens(character.repeat(200_000), 'gpt-4o')).toBeGreaterThan(0)
  }
})
