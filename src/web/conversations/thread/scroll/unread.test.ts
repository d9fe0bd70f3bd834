import { expect, test } from 'vitest'
import { countUnread, createReadMarker } from './unread.ts'
import { createLocalAnswer, createLocalQuestion } from '#web/conversations/messages.ts'

const turns = [createLocalQuestion('问', ''), createLocalAnswer('')]

test('characters of the answer that grows are counted, blanks are not', () => {
  const marker = createReadMarker(turns, '渠水')
  expect(countUnread(turns, '渠水', marker)).toEqual({ messageCount: 0, chars: 0 })
  expect(countUnread(turns, '渠水 清如\n许🌊', marker)).toEqual({ messageCount: 0, chars: 4 })
})

test('messages that came are counted, older ones put in front are not', () => {
  const marker = createReadMarker(turns, '渠水')
  const older = [createLocalQuestion('早', ''), ...turns]
  expect(countUnread(older, '渠水清', marker)).toEqual({ messageCount: 0, chars: 1 })
  expect(
    countUnread([...older, createLocalQuestion('新', ''), createLocalAnswer('')], '', marker).messageCount,
  ).toBe(2)
})
