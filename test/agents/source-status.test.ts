import { expect, test } from 'vitest'
import { summarizeStatus } from '#server/agents/embeds.ts'

test.each([
  [[], 0],
  [[2, 2], 2],
  [[2, 3], 3],
  [[2, 1], 1],
  // What is under way may still be of use: it is not failed before all have ended.
  [[3, 0], 1],
  [[3, 1, 2], 1],
] as const)('an agent with sources of the states %j has the state %i', (sources, status) => {
  expect(summarizeStatus(sources)).toBe(status)
})
