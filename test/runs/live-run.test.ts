import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LiveRun } from '#server/runs/live-run.ts'
import type { StreamPosition } from '#server/runs/live-run.ts'

// The stream log of these runs is a text beside them: it is stored first, then shown, as in the product.

const piece = fc.nat({ max: 9_000 })
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ text: piece }) },
  { weight: 4, arbitrary: fc.record({ reasoning: piece }) },
  { weight: 1, arbitrary: fc.record({ replace: fc.nat({ max: 40_000 }) }) },
)

/** Returns a function that makes this many characters, all different. */
const createWriter = () => {
  let written = 0
  return (length: number): string =>
    Array.from({ length }, () => String.fromCodePoint(0x4e_00 + (written++ % 20_000))).join('')
}

/** Reads to the end as a page does; leaves after every `eventsAVisit` events and comes back with its position. */
async function readAll(run: LiveRun, pauses: number, eventsAVisit: number) {
  const read = { text: '', reasoning: '', end: '' }
  let position: StreamPosition = { text: 0, reasoning: 0 }
  while (!read.end) {
    const gone = new AbortController()
    let events = 0
    for await (const event of run.read(position, gone.signal)) {
      for (let nth = 0; nth < pauses; nth++) await setImmediate()
      if (event.type === 'end') read.end = event.text
      else if (event.type === 'text') {
        read.text = event.replace ? event.text : read.text + event.text
        expect(event.position).toBe(read.text.length)
        position = { ...position, text: event.position }
      } else if (event.type === 'reasoning') {
        read.reasoning += event.text
        expect(event.position).toBe(read.reasoning.length)
        position = { ...position, reasoning: event.position }
      }
      if (++events === eventsAVisit) gone.abort()
    }
  }
  return read
}

test('readers of any pace read all of a text of which only the end is kept', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), async (steps) => {
      const write = createWriter()
      const log = { text: '', reasoning: '' }
      const readLog = async () => {
        await setImmediate()
        return { ...log }
      }
      const run = new LiveRun('run', { started_at_ms: Date.now(), readLog })
      const paces = [0, 1, 7, 30]
      const readers = [
        ...paces.map((pauses) => readAll(run, pauses, Infinity)),
        ...paces.map((pauses) => readAll(run, pauses, 2)),
      ]
      for (const one of steps) {
        const replaces = 'replace' in one
        const text = replaces ? write(one.replace) : 'text' in one ? write(one.text) : ''
        const reasoning = 'reasoning' in one ? write(one.reasoning) : ''
        log.text = replaces ? text : log.text + text
        log.reasoning += reasoning
        await setImmediate()
        run.publish(text, replaces, reasoning)
        await setImmediate()
      }
      run.restore(log)
      const text = `${log.text}完`
      run.complete({ state: 'done', code: null, text }, log.reasoning)
      for (const read of await Promise.all(readers))
        expect(read).toEqual({ text, reasoning: log.reasoning, end: text })
    }),
    { numRuns: 40 },
  )
})

test('the end of a long text is kept, a short one whole', () => {
  const readLog = () => Promise.reject(new Error('read'))
  const run = new LiveRun('run', { started_at_ms: Date.now(), readLog })
  run.publish('源'.repeat(15_000), false)
  expect(run.whole).toEqual({ text: '源'.repeat(15_000), reasoning: '' })
  run.publish('头'.repeat(17_000), false)
  expect(run.whole).toBeNull()
})
