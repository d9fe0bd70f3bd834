import { expect, test } from 'vitest'
import { estimateTokens } from '#server/llm/llm.ts'
import { ProducedText } from '#server/runs/produced-text.ts'

const PIECE = '问渠那得清如许'
const PIECES = 10_000
const MODEL = 'deepseek-chat'

function produce(isNeeded: () => boolean): ProducedText {
  const produced = new ProducedText(isNeeded)
  for (let nth = 0; nth < PIECES; nth++) produced.append(PIECE)
  return produced
}

test('a long text that somebody needs is kept whole', () => {
  const produced = produce(() => true)
  expect(produced.text).toBe(PIECE.repeat(PIECES))
  expect(produced.length).toBe(PIECE.length * PIECES)
  expect(produced.estimateForgotten(MODEL)).toBe(0)
})

test('of a long text that nobody needs the beginning is kept, and how much there was of the rest', () => {
  const produced = produce(() => false)
  const kept = produced.text
  expect(PIECE.repeat(PIECES).startsWith(kept)).toBe(true)
  expect(kept.length).toBeLessThan(20_000)
  expect(produced.length).toBe(PIECE.length * PIECES)
  expect(produced.estimateForgotten(MODEL)).toBe(
    estimateTokens(PIECE.repeat(PIECES).slice(kept.length), MODEL),
  )
})

test('a short text is kept, and nobody is asked', () => {
  const produced = new ProducedText(() => {
    throw new Error('asked')
  })
  for (let nth = 0; nth < 100; nth++) produced.append(PIECE)
  expect(produced.text).toBe(PIECE.repeat(100))
})

test('a text that takes the place of all before it is whole again', () => {
  const produced = produce(() => false)
  produced.replace('另一个')
  expect(produced.text).toBe('另一个')
  expect(produced.length).toBe(3)
  expect(produced.estimateForgotten(MODEL)).toBe(0)
})
