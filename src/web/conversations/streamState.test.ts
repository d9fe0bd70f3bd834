import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toLastEventId, applyStreamEvent, type StreamState, initialStreamState } from './streamState.ts'

const delta = (n: number, deltaContent: string, more = {}) => ({
  id: `run-1:${n}`,
  data: JSON.stringify({ delta_content: deltaContent, ...more }),
})
const readAll = (events: { id?: string; data: string }[], from: StreamState = initialStreamState) =>
  events.reduce(applyStreamEvent, from)

const answer = ['问渠', '那得', '清如许', '？\n', '为有', '源头', '活水来']
const events = [...answer.map((text, n) => delta(n, text)), { data: '[DONE]' }]

test('deltas make the text and [DONE] ends it', () => {
  expect(readAll(events)).toMatchObject({ text: answer.join(''), end: { state: 'done' } })
})

test('cuts at any positions, with any overlap of the replay, neither double nor lose text', () => {
  const cuts = fc.array(fc.tuple(fc.nat(events.length), fc.nat(events.length)), { maxLength: 8 })
  fc.assert(
    fc.property(cuts, (attempts) => {
      let reading = initialStreamState
      for (const [length, back] of attempts) {
        const from = Math.max(0, reading.n + 1 - back)
        reading = readAll(events.slice(from, reading.n + 1 + length), reading)
      }
      expect(readAll(events.slice(reading.n + 1), reading).text).toBe(answer.join(''))
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
  expect(toLastEventId(initialStreamState)).toBeNull()
  expect(toLastEventId(readAll([delta(0, '一'), delta(1, '二')]))).toBe('run-1:1')
})
