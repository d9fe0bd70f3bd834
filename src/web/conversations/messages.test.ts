import { expect, test } from 'vitest'
import {
  createLocalAnswer,
  createLocalQuestion,
  mergeNewestPage,
  prependOlderPage,
  applyServerMessage,
  type Message,
} from './messages.ts'

const message = (id: string, text = id): Message => ({
  ...createLocalQuestion(text, 'm'),
  id,
  key: id,
  versions: [id],
})
const server = (id: string, text = id) => {
  const { key: _, local: __, ...plain } = message(id, text)
  return plain
}
const createLoaded = (id: string): Message => ({ ...server(id), key: id })
const ids = (turns: readonly Message[]) => turns.map(({ id }) => id)

test('the server’s message takes the place of a placeholder under the same key', () => {
  const answer = createLocalAnswer('m')
  const message = server('a1')
  expect(applyServerMessage(answer, message)).toEqual({ ...message, key: answer.key })
})

test('what the server says in the place of an answer that failed is none of its text, however often it is read', () => {
  const failedAnswer = { ...server('a1', '出错'), status: 'failed' as const, error: '出错' }
  const { messages } = mergeNewestPage([], [failedAnswer], false)
  expect(messages).toMatchObject([{ text: '', error: '出错' }])
  expect(mergeNewestPage(messages, [failedAnswer], false).messages[0]).toBe(messages[0])
  expect(prependOlderPage([], [failedAnswer])[0]!.text).toBe('')
  expect(mergeNewestPage([], [{ ...failedAnswer, text: '有头' }], false).messages[0]!.text).toBe('有头')
})

test('older pages stay while the newest still touches them', () => {
  const turns = ['1', '2', '3', '4'].map(createLoaded)
  const mergedPage = mergeNewestPage(
    turns,
    ['3', '4', '5'].map((id) => server(id)),
    true,
  )
  expect(ids(mergedPage.messages)).toEqual(['1', '2', '3', '4', '5'])
  expect(mergedPage.older).toBe(true)
  expect(mergedPage.messages[2]).toBe(turns[2])
})

test('pages that no longer touch are dropped rather than left with a gap', () => {
  const mergedPage = mergeNewestPage(
    ['1', '2'].map(createLoaded),
    ['8', '9'].map((id) => server(id)),
    true,
  )
  expect(ids(mergedPage.messages)).toEqual(['8', '9'])
  expect(mergedPage.older).toBe(false)
})

test('what stood before the first message is gone when the server has nothing older', () => {
  const mergedPage = mergeNewestPage(['1', '2', '3'].map(createLoaded), [server('3')], false)
  expect(ids(mergedPage.messages)).toEqual(['3'])
})

test('another version takes the place of the one that was shown under the same key', () => {
  const turn = { ...createLoaded('2'), versions: ['1', '2'] }
  const mergedPage = mergeNewestPage(
    [createLoaded('0'), turn],
    [server('0'), { ...server('1'), versions: ['1', '2'] }],
    false,
  )
  expect(mergedPage.messages[1]).toMatchObject({ id: '1', key: '2' })
})

test('a message that was answered anew changes and keeps its key', () => {
  const turn = { ...createLoaded('1'), key: 'local-7' }
  const [changedMessage] = mergeNewestPage([turn], [server('1', 'new text')], false).messages
  expect(changedMessage).toMatchObject({ key: 'local-7', text: 'new text' })
})

test('an answer that was continued changes with its figures alone', () => {
  const figures = {
    platform: 'a',
    first_text_ms: 1,
    duration_ms: 1,
    input_tokens: 1,
    output_tokens: 1,
    amount: 1,
  }
  const whole = { ...createLoaded('1'), figures }
  const receivedMessage = { ...server('1'), figures: { ...figures, output_tokens: 9, amount: 9 } }
  const [changedMessage] = mergeNewestPage([whole], [receivedMessage], false).messages
  expect(changedMessage?.figures?.amount).toBe(9)
})

test('what the server never took stays at the end', () => {
  const refusedQuestion = createLocalQuestion('q', 'm')
  expect(
    ids(mergeNewestPage([createLoaded('1'), refusedQuestion], [server('1'), server('2')], false).messages),
  ).toEqual(['1', '2', refusedQuestion.id])
})

test('an older page is put in front once', () => {
  const turns = ['3', '4'].map(createLoaded)
  expect(
    ids(
      prependOlderPage(
        turns,
        ['1', '2', '3'].map((id) => server(id)),
      ),
    ),
  ).toEqual(['1', '2', '3', '4'])
})
