import { expect, test } from 'vitest'
import { createCitationGuard } from '#server/assistants/agents/hidden-citations.ts'
import { createLeakGuard } from '#server/assistants/agents/leak-guard.ts'

/** Returns a reader's text of one that comes in pieces of this many characters, with all sources but the first hidden. */
function read(text: string, chars: number): string {
  const filter = createCitationGuard(null, (n) => n > 1).createFilter()
  const pieces = text.match(new RegExp(`[^]{1,${chars}}`, 'g')) ?? []
  return pieces.map((piece) => filter.push(piece)).join('') + filter.flush()
}

test.each([1, 7, 80, 10_000])(
  'numbers of hidden sources reach nobody, in pieces of %d characters',
  (chars) => {
    const text =
      '水位 3.2 米 [2]，见【3】。鱼苗[1, 2]四月[4][5]。\n\n数组 arr[2]，`[3]`，链接 [2](https://a.example)。\n\n```js\na = [2]\n```\n\n- 之后［2］\n最后 [2'
    expect(read(text, chars)).toBe(
      '水位 3.2 米，见。鱼苗[1]四月。\n\n数组 arr[2]，`[3]`，链接 [2](https://a.example)。\n\n```js\na = [2]\n```\n\n- 之后\n最后 [2',
    )
  },
)

test('code goes on to its own fence', () => {
  const code = '````md\n```js\na = [2]\n~~~\n```\nb = [3]\n````\n'
  expect(read(`${code}完 [2]`, 7)).toBe(`${code}完`)
})

test('a text without brackets is not held up', () => {
  const filter = createCitationGuard(null, () => true).createFilter()
  expect(filter.push('水位是 3.2 米，')).toBe('水位是 3.2 米，')
})

test('what else is guarded stays so', () => {
  const secret = '你是问渠图书馆的馆员，只依据馆藏目录回答读者，绝不谈论价格。'
  const filter = createCitationGuard(createLeakGuard({ secret, knownTexts: [] }), () => true).createFilter()
  const shown = filter.push('规则[1]：') + filter.push('只依据馆藏目录[2]回答读者，绝不谈论价格。')
  expect(shown).toBe('规则：')
  expect(filter.blocked).toBe(true)
})
