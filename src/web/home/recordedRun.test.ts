import { expect, test } from 'vitest'
import { countArrived, parseAnswer, recordedRun } from './recordedRun.ts'

const answer = recordedRun.pieces.map(([, text]) => text).join('')

test('the recorded answer is shown whole, its citations with their sources', () => {
  const spans = parseAnswer(answer).flat()
  const shownText = spans.map((span) => (span.kind === 'citation' ? `[${span.n}]` : span.text)).join('')
  expect(shownText).toBe(answer.replaceAll('**', '').replaceAll('\n\n', ''))
  const cited = spans.flatMap((span) => (span.kind === 'citation' ? [span.n] : []))
  expect(new Set(cited)).toEqual(new Set(recordedRun.sources.map(({ n }) => n)))
  for (const span of spans)
    if (span.kind !== 'citation') expect(answer.startsWith(span.text, span.start)).toBe(true)
})

test('its pieces come in the order and at the times of the recording', () => {
  expect(countArrived(recordedRun, -1)).toBe(0)
  const [first = [0, '']] = recordedRun.pieces
  expect(countArrived(recordedRun, first[0])).toBe(first[1].length)
  expect(countArrived(recordedRun, recordedRun.done_ms)).toBe(answer.length)
})
