import fc from 'fast-check'
import { expect, test } from 'vitest'
import { updateBlocks, type Blocks } from './blocks.ts'
import { sampleAnswers } from '../sampleAnswers.ts'

const whole = (text: string) => updateBlocks(undefined, text).blocks

/** Feeds `text` in pieces that end at the given positions. */
function inPieces(text: string, cuts: number[]): Blocks {
  let blocks: Blocks | undefined
  for (const cut of [...cuts].sort((a, b) => a - b))
    blocks = updateBlocks(blocks, text.slice(0, cut % (text.length + 1)))
  return updateBlocks(blocks, text)
}

const increasing = (length: number) =>
  fc.array(fc.nat(length), { maxLength: 30 }).map((cuts) => cuts.sort((a, b) => a - b))

test.each(Object.entries(sampleAnswers))(
  'the blocks of a growing text are those of the whole: %s',
  (_, text) => {
    fc.assert(
      fc.property(increasing(text.length), (cuts) => {
        expect(inPieces(text, cuts).blocks).toEqual(whole(text))
      }),
    )
  },
)

test('a text that grows by one character is always read like the whole', () => {
  const text = Object.values(sampleAnswers).join('\n\n').slice(0, 4000)
  let blocks: Blocks | undefined
  for (let end = 1; end <= text.length; end++) {
    blocks = updateBlocks(blocks, text.slice(0, end))
    if (end % 7 === 0) expect(blocks.blocks).toEqual(whole(text.slice(0, end)))
  }
})

const scraps = [
  '- a',
  '  b',
  '1. x',
  '\n',
  '\n\n',
  '```',
  '```js',
  '~~~',
  '# ',
  '#',
  '$$',
  '\\[',
  '\\]',
  '|a|b|',
  '|-|-|',
  '---',
  '===',
  '> q',
  '    code',
  '<div>',
  '</div>',
  '<!--',
  '-->',
  '[a]: /u',
  '"t"',
  '文字',
  ' ',
  '\t',
  '\r\n',
  '*',
  '<details>',
  '[^1]',
  '[^1]: n',
  '    ',
]

test('a formula mark behind one character begins no block', () => {
  expect(whole('约\\[x\\]\n\n- a').map(({ raw }) => raw.trim())).toEqual(['约\\[x\\]', '- a'])
})

test('so is any pile of markdown scraps', () => {
  const pile = fc.array(fc.constantFrom(...scraps), { maxLength: 24 })
  fc.assert(
    fc.property(pile, (parts) => {
      let blocks: Blocks | undefined
      let text = ''
      for (const part of parts) {
        text += part
        blocks = updateBlocks(blocks, text)
      }
      expect(blocks?.blocks ?? []).toEqual(whole(text))
    }),
    { numRuns: 1000 },
  )
})

test('long texts keep their finished blocks as they are', () => {
  const text = Object.values(sampleAnswers).join('\n\n')
  const before = updateBlocks(undefined, text)
  const after = updateBlocks(before, `${text} 又一句。`)
  expect(before.final).toBeGreaterThan(10)
  expect(after.blocks.slice(0, before.final).every((block, i) => block === before.blocks[i])).toBe(true)
})

test('another text starts anew', () => {
  expect(updateBlocks(updateBlocks(undefined, 'a\n\nb\n\nc\n'), '# x').blocks).toEqual(whole('# x'))
})
