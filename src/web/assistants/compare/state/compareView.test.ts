import { expect, test } from 'vitest'
import { createLocalAnswer, createLocalQuestion, type Message } from '#web/conversations/conversations.ts'
import { createView } from './compareView.ts'
import { emptyComparison, type Comparison } from './comparison.ts'
import { getFigures, sortByFigure, sumAmounts } from './figures.ts'

const question = (turn: number): Message => ({
  ...createLocalQuestion('问', ''),
  chat_id: `t${turn}`,
  created_at: `2026-01-0${turn}`,
})
const answer = (turn: number, model: string, amount: number, durationMs = 2000): Message => ({
  ...createLocalAnswer(model),
  chat_id: `t${turn}`,
  status: 'done',
  text: '答'.repeat(100),
  figures: {
    platform: 'p',
    first_text_ms: 1000,
    duration_ms: durationMs,
    input_tokens: 9,
    output_tokens: 50,
    amount,
  },
})
const comparison = (more: Partial<Comparison> = {}): Comparison => {
  const [first, second] = [question(1), question(2)]
  const column = (model: string, amount: number, ms: number) => ({
    model,
    settings: null,
    messages: [first, answer(1, model, 1), second, answer(2, model, amount, ms)],
  })
  const columns = [column('a', 3, 2000), column('b', 1, 3000), column('c', 2, 1500)]
  return { ...emptyComparison, key: 'k', columns, ...more }
}
const names = (state: Comparison, sort: Parameters<typeof createView>[1] = 'order') =>
  createView(state, sort, (model) => model.toUpperCase()).columns.map(({ name }) => name)

test('characters a second are counted from the first one to the last', () => {
  expect(getFigures(answer(1, 'a', 1))).toEqual({ first_text_ms: 1000, speed: 100, tokens: 50, amount: 1 })
  expect(getFigures({ text: '答', figures: null })).toBeNull()
})

test('amounts are added up to the micro-coin', () => {
  expect(sumAmounts([answer(1, 'a', 0.1), answer(1, 'b', 0.2)])).toBe(0.3)
})

test('what is not known comes last, however it is sorted', () => {
  const figures = [
    null,
    { first_text_ms: null, speed: 5, tokens: 1, amount: 1 },
    getFigures(answer(1, 'a', 2)),
  ]
  expect(sortByFigure([0, 1, 2], 'speed', (i) => figures[i] ?? null)).toEqual([2, 1, 0])
  expect(sortByFigure([0, 1, 2], 'first_text_ms', (i) => figures[i] ?? null)).toEqual([2, 0, 1])
})

test('columns stand in their order, or by a figure of the newest turn', () => {
  expect(names(comparison())).toEqual(['A', 'B', 'C'])
  expect(names(comparison(), 'amount')).toEqual(['B', 'C', 'A'])
  expect(names(comparison(), 'speed')).toEqual(['C', 'A', 'B'])
})

test('the best of each figure is marked in one answer alone', () => {
  const { columns } = createView(comparison(), 'order', String)
  expect(columns.map(({ best }) => best)).toEqual(['', 'amount', 'speed'])
})

test('a blind comparison has letters until the newest turn has its vote', () => {
  const vote = (chatId: string) => ({ [chatId]: { chat_id: chatId, winner: 'a', kind: 'other' as const } })
  expect(names(comparison({ blind: true, votes: vote('t1') }))).toEqual(['模型 A', '模型 B', '模型 C'])
  expect(names(comparison({ blind: true, votes: vote('t2') }))).toEqual(['A', 'B', 'C'])
})

test('while names are hidden, turns whose authors are known are not shown, and no sort tells them', () => {
  const votes = { t1: { chat_id: 't1', winner: 'a', kind: 'other' as const } }
  const view = createView(comparison({ blind: true, votes }), 'amount', String)
  expect(view).toMatchObject({ isHidden: true, firstShown: 't2' })
  const again = createView(comparison({ blind: true, votes }), 'speed', String)
  expect(again.columns.map(({ column }) => column.model)).toEqual(
    view.columns.map(({ column }) => column.model),
  )
})

test('the letters belong to other models after each vote', () => {
  const orders = Array.from({ length: 12 }, (_, i) => {
    const state = comparison({ blind: true, key: `${i}`, votes: {} })
    const session = {
      id: `s${i}`,
      chatbot: '',
      title: '',
      pinned: false,
      archived: false,
      model: null,
      current: true,
      updated_at: '',
    }
    return createView({ ...state, session }, 'order', String)
      .columns.map(({ column }) => column.model)
      .join('')
  })
  expect(new Set(orders).size).toBeGreaterThan(3)
})
