import { expect, test } from 'vitest'
import { lastCode } from './lastCode.ts'

test('the last block is found, whatever fences it', () => {
  expect(lastCode('一\n```ts\nconst a = 1\n```\n二\n~~~sh\nls\n\npwd\n~~~\n三')).toBe('ls\n\npwd')
  expect(lastCode('````md\n```js\n1\n```\n````')).toBe('```js\n1\n```')
})

test('a block that is being written counts, no block is null', () => {
  expect(lastCode('```\n一\n```\n```py\nprint(1)')).toBe('print(1)')
  expect(lastCode('只有文字和 `行内` 代码')).toBeNull()
})
