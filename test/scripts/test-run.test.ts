import { expect, test } from 'vitest'
import type { TestModule } from 'vitest/node'
import { summarize } from '../../scripts/vitest.ts'

type Outcome = 'passed' | 'failed' | 'skipped' | 'flaky'

/** Makes the part of a file's result that the summary reads. */
const file = (name: string, cpuMs: number | undefined, ...outcomes: Outcome[]): TestModule => {
  const tests = outcomes.map((outcome) => ({
    fullName: outcome,
    result: () =>
      outcome === 'flaky' ? { state: 'passed', errors: [{ message: 'it was late' }] } : { state: outcome },
    diagnostic: () => ({ flaky: outcome === 'flaky' }),
  }))
  const ofState = (state?: string) => tests.filter(({ result }) => !state || result().state === state)
  return {
    project: { name: 'server' },
    relativeModuleId: name,
    state: () => (outcomes.includes('failed') || outcomes.length === 0 ? 'failed' : 'passed'),
    meta: () => ({ cpu_ms: cpuMs }),
    children: { allTests: (state?: string) => ofState(state).values() },
  } as unknown as TestModule
}

test('counts tests, and a file that did not load as one failure', () => {
  const run = summarize(
    [file('a', 5, 'passed'), file('b', 9, 'passed', 'failed', 'skipped'), file('c', 0)],
    0,
  )
  expect(run).toMatchObject({ passed: 2, failed: 2, failures: ['server b: failed', 'server c'], flaky: [] })
  expect(run.files.map(({ name }) => name)).toEqual(['server b', 'server a', 'server c'])
})

test('what passes at the second try is counted as passed, and named with its first error', () => {
  expect(summarize([file('a', undefined, 'flaky')], 0)).toMatchObject({
    passed: 1,
    failed: 0,
    flaky: [{ name: 'server a: flaky', error: 'it was late' }],
  })
})

test('a run with an error outside of all tests is never counted as passed', () => {
  expect(summarize([file('a', 1, 'passed')], 1)).toMatchObject({ passed: 1, failed: 1 })
})
