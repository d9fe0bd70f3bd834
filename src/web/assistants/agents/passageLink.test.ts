import { expect, test } from 'vitest'
import { parsePassageLink } from './passageLink.ts'

const agent = '0198a5c0-0000-7000-8000-000000000001'
const block = '0198a5c0-0000-7000-8000-000000000002'

test('a link to a passage names agent, block and chunk, and which text was cited', () => {
  const link = `/chat/agent/${agent}?block=${block}&chunk=3`
  expect(parsePassageLink(link)).toEqual({ agent, block, chunk: 3 })
  expect(parsePassageLink(`${link}&hash=0f`)).toEqual({ agent, block, chunk: 3, hash: '0f' })
})

test.each([
  `/chat/agent/${agent}`,
  `/chat/agent/${agent}?block=${block}`,
  `/block/${block}?piece=3`,
  '/chat?chunk=1&block=2',
])('any other link is none: %s', (href) => expect(parsePassageLink(href)).toBeNull())
