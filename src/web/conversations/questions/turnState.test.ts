import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  applyTurnEvent,
  getOnlyAnswer,
  initialTurn,
  restartLanes,
  toLastEventId,
  type TurnState,
} from './turnState.ts'

const delta = (n: number, deltaContent: string, more = {}) => ({
  id: `run-1:${n}`,
  data: JSON.stringify({ delta_content: deltaContent, ...more }),
})
type Event = { id?: string; data: string }
const readTurn = (events: Event[], from: TurnState = initialTurn) => events.reduce(applyTurnEvent, from)
const readAll = (events: Event[]) => getOnlyAnswer(readTurn(events))

const answer = ['问渠', '那得', '清如许', '？\n', '为有', '源头', '活水来']
const events = [...answer.map((text, n) => delta(n, text)), { data: '[DONE]' }]

test('deltas make the text and [DONE] ends it', () => {
  expect(readAll(events)).toMatchObject({ text: answer.join(''), end: { state: 'done' } })
})

test('cuts at any positions, with any overlap of the replay, neither double nor lose text', () => {
  const cuts = fc.array(fc.tuple(fc.nat(events.length), fc.nat(events.length)), { maxLength: 8 })
  fc.assert(
    fc.property(cuts, (attempts) => {
      let reading = initialTurn
      const countRead = () => getOnlyAnswer(reading).n + 1
      for (const [length, back] of attempts) {
        const from = Math.max(0, countRead() - back)
        reading = readTurn(events.slice(from, countRead() + length), reading)
      }
      expect(getOnlyAnswer(readTurn(events.slice(countRead()), reading)).text).toBe(answer.join(''))
    }),
  )
})

test('replace takes the place of all text before it', () => {
  expect(readAll([delta(0, '一'), delta(1, '一二', { replace: true }), delta(2, '三')]).text).toBe('一二三')
})

test('the events of another run start the text again', () => {
  const again = { id: 'run-2:0', data: JSON.stringify({ delta_content: '重来' }) }
  expect(readAll([delta(0, '一'), again])).toMatchObject({ text: '重来', run: 'run-2' })
})

test('an error ends the reading, keeps the text and brings the server’s message', () => {
  const error = {
    id: 'run-1:2',
    data: JSON.stringify({ error: { message: '模型服务出错，请重试', code: 'x', request_id: '' } }),
  }
  expect(readAll([delta(0, '一'), error, delta(3, '二')])).toMatchObject({
    text: '一',
    end: { state: 'failed', message: '模型服务出错，请重试' },
  })
})

test('a cancelled run is cancelled, whatever follows', () => {
  const cancelled = { id: 'run-1:1', data: JSON.stringify({ state: 'cancelled' }) }
  expect(readAll([delta(0, '一'), cancelled, { data: '[DONE]' }]).end).toEqual({ state: 'cancelled' })
})

test('reading goes on behind the last event', () => {
  expect(toLastEventId(initialTurn)).toBeNull()
  expect(toLastEventId(readTurn([delta(0, '一'), delta(1, '二')]))).toBe('run-1:1')
})

test('an answer without a word has ended with the stream, and one that failed without it', () => {
  expect(readAll([{ data: '[DONE]' }])).toMatchObject({ text: '', end: { state: 'done' } })
  const error = { data: JSON.stringify({ error: { message: '上游错误', code: 'x', request_id: '' } }) }
  expect(readTurn([error]).isOver).toBe(true)
})

const event = (id: string, data: object): Event => ({ ...(id ? { id } : {}), data: JSON.stringify(data) })
const reduceEvents = (...events: Event[]) => readTurn(events)

const BOTH = [
  event('r1:2', { model: 'a', delta_content: '你好' }),
  event('r2:1', { model: 'b', delta_content: '您' }),
  event('r1:3', { model: 'a', delta_content: '。' }),
]

test('each event belongs to the lane of its model', () => {
  const { lanes, isOver } = reduceEvents(...BOTH)
  expect([lanes.a?.text, lanes.b?.text, isOver]).toEqual(['你好。', '您', false])
})

test('a replay doubles nothing, and changes nothing', () => {
  const once = reduceEvents(...BOTH)
  expect(BOTH.reduce(applyTurnEvent, once)).toBe(once)
})

test('a reader that comes back says of each answer how far it has come', () => {
  expect(toLastEventId(reduceEvents(...BOTH))).toBe('r1:3,r2:1')
})

test('one answer that fails or is stopped leaves the others as they are', () => {
  const { lanes } = reduceEvents(
    ...BOTH,
    event('', { model: 'b', error: { message: '上游错误', code: 'x', request_id: '' } }),
    event('', { model: 'c', state: 'cancelled' }),
    event('r1:4', { model: 'a', delta_content: '好' }),
  )
  expect(lanes.b?.end).toEqual({ state: 'failed', message: '上游错误' })
  expect(lanes.c?.end).toEqual({ state: 'cancelled' })
  expect(lanes.a).toMatchObject({ text: '你好。好', end: null })
})

test('all have ended with the stream', () => {
  const stream = reduceEvents(...BOTH, event('', { model: 'a', state: 'done' }), { data: '[DONE]' })
  expect(stream.isOver).toBe(true)
  expect(Object.values(stream.lanes).map(({ end }) => end?.state)).toEqual(['done', 'done'])
  expect(applyTurnEvent(stream, event('r1:9', { model: 'a', delta_content: '！' }))).toBe(stream)
})

test('an answer that begins anew goes on from its first character, the others from where they are', () => {
  const restarted = restartLanes(reduceEvents(...BOTH, { data: '[DONE]' }), ['a'])
  expect(toLastEventId(restarted)).toBe('r2:1')
  expect(applyTurnEvent(restarted, event('r3:1', { model: 'a', delta_content: '新' })).lanes.a?.text).toBe(
    '新',
  )
})
