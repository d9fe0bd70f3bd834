import { expect, test } from 'vitest'
import { tally } from '../../scripts/vitest.ts'

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((each) => ({ status: each })),
})

test('counts tests, and a file that did not load as one failure', () => {
  const testResults = [file('passed', 'passed'), file('failed', 'passed', 'failed'), file('failed')]
  expect(tally(1, { numPassedTests: 2, numFailedTests: 1, testResults })).toEqual({ passed: 2, failed: 2 })
})

test('a run that failed outside its tests, or without a report, is never counted as passed', () => {
  const fine = { numPassedTests: 1, numFailedTests: 0, testResults: [file('passed', 'passed')] }
  expect(tally(1, fine)).toEqual({ passed: 1, failed: 1 })
  expect(tally(0, fine)).toEqual({ passed: 1, failed: 0 })
  expect(tally(1, null)).toEqual({ passed: 0, failed: 1 })
})
