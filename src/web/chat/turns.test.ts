import { expect, test } from 'vitest'
import { localAnswer, localQuestion, mergeNewest, prependOlder, settle, type Turn } from './turns.ts'

const message = (id: string, text = id): Turn => ({
  ...localQuestion(text, 'm'),
  id,
  key: id,
  versions: [id],
})
const server = (id: string, text = id) => {
  const { key: _, local: __, ...plain } = message(id, text)
  return plain
}
const loaded = (id: string): Turn => ({ ...server(id), key: id })
const ids = (turns: readonly Turn[]) => turns.map(({ id }) => id)

test('the server’s message takes the place of a placeholder under the same key', () => {
  const answer = localAnswer('m')
  const message = server('a1')
  expect(settle(answer, message)).toEqual({ ...message, key: answer.key })
})

test('older pages stay while the newest still touches them', () => {
  const turns = ['1', '2', '3', '4'].map(loaded)
  const merged = mergeNewest(
    turns,
    ['3', '4', '5'].map((id) => server(id)),
    true,
  )
  expect(ids(merged.turns)).toEqual(['1', '2', '3', '4', '5'])
  expect(merged.older).toBe(true)
  expect(merged.turns[2]).toBe(turns[2])
})

test('pages that no longer touch are dropped rather than left with a gap', () => {
  const merged = mergeNewest(
    ['1', '2'].map(loaded),
    ['8', '9'].map((id) => server(id)),
    true,
  )
  expect(ids(merged.turns)).toEqual(['8', '9'])
  expect(merged.older).toBe(false)
})

test('what stood before the first message is gone when the server has nothing older', () => {
  const merged = mergeNewest(['1', '2', '3'].map(loaded), [server('3')], false)
  expect(ids(merged.turns)).toEqual(['3'])
})

test('another version takes the place of the one that was shown under the same key', () => {
  const turn = { ...loaded('2'), versions: ['1', '2'] }
  const merged = mergeNewest(
    [loaded('0'), turn],
    [server('0'), { ...server('1'), versions: ['1', '2'] }],
    false,
  )
  expect(merged.turns[1]).toMatchObject({ id: '1', key: '2' })
})

test('a message that was answered anew changes and keeps its key', () => {
  const turn = { ...loaded('1'), key: 'local-7' }
  const [changed] = mergeNewest([turn], [server('1', 'new text')], false).turns
  expect(changed).toMatchObject({ key: 'local-7', text: 'new text' })
})

test('what the server never took stays at the end', () => {
  const refused = localQuestion('q', 'm')
  expect(ids(mergeNewest([loaded('1'), refused], [server('1'), server('2')], false).turns)).toEqual([
    '1',
    '2',
    refused.id,
  ])
})

test('an older page is put in front once', () => {
  const turns = ['3', '4'].map(loaded)
  expect(
    ids(
      prependOlder(
        turns,
        ['1', '2', '3'].map((id) => server(id)),
      ),
    ),
  ).toEqual(['1', '2', '3', '4'])
})
