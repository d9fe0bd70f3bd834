import { expect, test } from 'vitest'
import { summarizeStatus } from '#server/assistants/agents/embeds.ts'

test.each([
  [[], 0],
  [[2, 2], 2],
  [[2, 3], 3],
  [[2, 1], 1],
  // Sources under way may still be of use: an agent has not failed before all have ended.
  [[3, 0], 1],
  [[3, 1, 2], 1],
] as const)('an agent with sources of the states %j has the state %i', (sources, status) => {
  expect(summarizeStatus(sources)).toBe(status)
})
