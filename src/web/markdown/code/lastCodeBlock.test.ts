import { expect, test } from 'vitest'
import { getLastCodeBlock } from './lastCodeBlock.ts'

test('the last block is found, whatever fences it', () => {
  expect(getLastCodeBlock('一\n```ts\nconst a = 1\n```\n二\n~~~sh\nls\n\npwd\n~~~\n三')).toBe('ls\n\npwd')
  expect(getLastCodeBlock('````md\n```js\n1\n```\n````')).toBe('```js\n1\n```')
})

test('a block that is being written counts, no block is null', () => {
  expect(getLastCodeBlock('```\n一\n```\n```py\nprint(1)')).toBe('print(1)')
  expect(getLastCodeBlock('只有文字和 `行内` 代码')).toBeNull()
})
