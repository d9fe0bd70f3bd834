import { expect, test } from 'vitest'
import { applyTurnEvent, initialTurnStream, restartModels, toLastEventIds } from './turnStream.ts'

type Event = { id?: string; data: string }
const event = (id: string, data: object): Event => ({ ...(id ? { id } : {}), data: JSON.stringify(data) })
const reduceEvents = (...events: Event[]) => events.reduce(applyTurnEvent, initialTurnStream)

const BOTH = [
  event('r1:2', { model: 'a', delta_content: '你好' }),
  event('r2:1', { model: 'b', delta_content: '您' }),
  event('r1:3', { model: 'a', delta_content: '。' }),
]

test('each event belongs to the answer of its model', () => {
  const { byModel, isOver } = reduceEvents(...BOTH)
  expect([byModel.a?.text, byModel.b?.text, isOver]).toEqual(['你好。', '您', false])
})

test('a replay doubles nothing, and changes nothing', () => {
  const once = reduceEvents(...BOTH)
  expect(BOTH.reduce(applyTurnEvent, once)).toBe(once)
})

test('a reader that comes back says of each answer how far it has come', () => {
  expect(toLastEventIds(initialTurnStream)).toBeNull()
  expect(toLastEventIds(reduceEvents(...BOTH))).toBe('r1:3,r2:1')
})

test('one answer that fails or is stopped leaves the others as they are', () => {
  const { byModel } = reduceEvents(
    ...BOTH,
    event('', { model: 'b', error: { message: '上游错误', code: 'x', request_id: '' } }),
    event('', { model: 'c', state: 'cancelled' }),
    event('r1:4', { model: 'a', delta_content: '好' }),
  )
  expect(byModel.b?.end).toEqual({ state: 'failed', message: '上游错误' })
  expect(byModel.c?.end).toEqual({ state: 'cancelled' })
  expect(byModel.a).toMatchObject({ text: '你好。好', end: null })
})

test('all have ended with the stream', () => {
  const stream = reduceEvents(...BOTH, event('', { model: 'a', state: 'done' }), { data: '[DONE]' })
  expect(stream.isOver).toBe(true)
  expect(Object.values(stream.byModel).map(({ end }) => end?.state)).toEqual(['done', 'done'])
  expect(applyTurnEvent(stream, event('r1:9', { model: 'a', delta_content: '！' }))).toBe(stream)
})

test('an answer that begins anew goes on from its first character, the others from where they are', () => {
  const restarted = restartModels(reduceEvents(...BOTH, { data: '[DONE]' }), ['a'])
  expect(toLastEventIds(restarted)).toBe('r2:1')
  expect(applyTurnEvent(restarted, event('r3:1', { model: 'a', delta_content: '新' })).byModel.a?.text).toBe(
    '新',
  )
})
