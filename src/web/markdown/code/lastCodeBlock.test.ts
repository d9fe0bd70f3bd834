import { expect, test } from 'vitest'
import { getLastCodeBlock } from './lastCodeBlock.ts'

test('the last block is found, whatever fences it', () => {
  expect(getLastCodeBlock('一\n```ts\nconst a = 1\n```\n二\n~~~sh\nls\n\npwd\n~~~\n三')).toBe('ls\n\npwd')
  expect(getLastCodeBlock('````md\n```js\n1\n```\n````')).toBe('```js\n1\n```')
  expect(getLastCodeBlock('```md\n```js\n1\n```\n```\n三')).toBe('```js\n1\n```')
  expect(
    getLastCodeBlock('1. 甲\n\n   ```py\n   if a:\n       b\n   ```\n\n   乙\n\n> ```\n> 丙\n> ```'),
  ).toBe('丙')
  expect(getLastCodeBlock('- 甲\n\n  ```py\n  if a:\n      b\n  ```')).toBe('if a:\n    b')
})

test('a block that is being written counts, no block is null', () => {
  expect(getLastCodeBlock('```\n一\n```\n```py\nprint(1)')).toBe('print(1)')
  expect(getLastCodeBlock('只有文字和 `行内` 代码')).toBeNull()
})
