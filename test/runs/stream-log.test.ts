import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '#server/core/log.ts'
import { LiveRun } from '#server/runs/live-run.ts'
import type { Chunk } from '#server/runs/result.ts'
import { createStreamLog } from '#server/runs/stream-log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Creates a stream log whose writes take 5 ms, and a list of the writes with their times (ms since its start). */
function createWatchedLog() {
  const written: (Chunk & { at: number })[] = []
  let writes = 0
  const start = performance.now()
  const streamLog = createStreamLog({
    write: async (chunks) => {
      writes += 1
      await new Promise((resolve) => setTimeout(resolve, 5))
      written.push(...chunks.map((chunk) => ({ ...chunk, at: performance.now() - start })))
    },
    read: async () => ({ text: '', reasoning: '' }),
    log: createLog('silent'),
  })
  return { streamLog, written, countWrites: () => writes }
}

const createRun = (id: string) =>
  new LiveRun(id, { started_at_ms: Date.now(), readLog: async () => ({ text: '', reasoning: '' }) })

test('many fast runs cost twenty writes a second together, and each ten rows', async () => {
  const { streamLog, written, countWrites } = createWatchedLog()
  const runs = Array.from({ length: 50 }, (_, n) => createRun(`fast-${n}`))
  for (let ms = 0; ms < 10_000; ms += 7) {
    streamLog.appendText(runs[ms % runs.length]!, '字', false)
    for (const run of runs) streamLog.appendReasoning(run, '想')
    await vi.advanceTimersByTimeAsync(7)
  }
  await vi.advanceTimersByTimeAsync(200)
  expect(countWrites()).toBeLessThanOrEqual(205)
  for (const { run_id } of runs) {
    const rows = written.filter((chunk) => chunk.run_id === run_id)
    expect(rows.length).toBeLessThanOrEqual(105)
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, n) => n))
    const said = rows.filter(({ repeats }) => !repeats)
    expect(said.map(({ reasoning }) => reasoning).join('')).toBe('想'.repeat(Math.ceil(10_000 / 7)))
  }
})

test('a long log is read in few chunks, which say all of it again, and what replaced it', async () => {
  const { streamLog, written } = createWatchedLog()
  const run = createRun('long')
  const expected = { text: '', reasoning: '' }
  for (let n = 0; n < 1_000; n++) {
    const replace = n % 300 === 299
    streamLog.appendText(run, `${n} `, replace)
    streamLog.appendReasoning(run, `想${n}`)
    expected.text = `${replace ? '' : expected.text}${n} `
    expected.reasoning += `想${n}`
    await vi.advanceTimersByTimeAsync(100)
  }
  await vi.advanceTimersByTimeAsync(200)
  const last = written.findLastIndex(({ repeats }) => repeats)
  const read = written.filter(({ repeats }, n) => repeats || n > last)
  expect(read.length).toBeLessThan(80)
  const start = Math.max(
    0,
    read.findLastIndex(({ replace }) => replace),
  )
  expect(
    read
      .slice(start)
      .map(({ text }) => text)
      .join(''),
  ).toBe(expected.text)
  expect(read.map(({ reasoning }) => reasoning).join('')).toBe(expected.reasoning)
})

test('the words of a run that says something now and then wait for no fast ones', async () => {
  const { streamLog, written } = createWatchedLog()
  const [fast, slow] = [createRun('fast'), createRun('slow')]
  const said: number[] = []
  for (let ms = 0; ms < 5_000; ms++) {
    streamLog.appendText(fast, '快', false)
    // Ten times a second, not in step with the writes.
    if (ms % 103 === 0) {
      said.push(ms)
      streamLog.appendText(slow, '慢', false)
    }
    await vi.advanceTimersByTimeAsync(1)
  }
  await vi.advanceTimersByTimeAsync(200)
  const seen = written.filter(({ run_id }) => run_id === 'slow')
  expect(seen).toHaveLength(said.length)
  // At most the interval of one write, and the write itself.
  for (const [n, { at }] of seen.entries()) expect(at - said[n]!).toBeLessThanOrEqual(60)
})
