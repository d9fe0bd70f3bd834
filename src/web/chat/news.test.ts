import { expect, test } from 'vitest'
import { newsSince, seenOf } from './news.ts'
import { localAnswer, localQuestion } from './turns.ts'

const turns = [localQuestion('问', ''), localAnswer('')]

test('characters of the answer that grows are counted, blanks are not', () => {
  const seen = seenOf(turns, '渠水')
  expect(newsSince(turns, '渠水', seen)).toEqual({ messages: 0, chars: 0 })
  expect(newsSince(turns, '渠水 清如\n许🌊', seen)).toEqual({ messages: 0, chars: 4 })
})

test('messages that came are counted, older ones put in front are not', () => {
  const seen = seenOf(turns, '渠水')
  const older = [localQuestion('早', ''), ...turns]
  expect(newsSince(older, '渠水清', seen)).toEqual({ messages: 0, chars: 1 })
  expect(newsSince([...older, localQuestion('新', ''), localAnswer('')], '', seen).messages).toBe(2)
})
