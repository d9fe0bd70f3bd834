import { expect, test } from 'vitest'
import type { ChatMessage } from '#contract/chat.ts'
import { PLACEHOLDER } from '#web/conversations/conversations.ts'
import {
  addAnswer,
  addQuestion,
  applyColumns,
  applyCreated,
  applyFailure,
  emptyComparison,
  findAnswer,
  isAnswering,
  listTurns,
  mergeNewestTurns,
  prependOlderTurns,
  type Comparison,
  type MessagesPage,
} from './comparison.ts'

const message = (
  role: 'human' | 'ai',
  turn: number,
  model: string,
  more: Partial<ChatMessage> = {},
): ChatMessage => ({
  id: `${role} ${turn} ${role === 'ai' ? model : ''}`,
  sess_id: 's',
  chat_id: `t${turn}`,
  role,
  text: `${role} ${turn}`,
  model,
  chat_model: model,
  content_type: 'text',
  stream: true,
  status: 'done',
  error: null,
  tools: [],
  agent: null,
  block: null,
  quick_action: null,
  related_prompts: [],
  search: null,
  wants_related: false,
  liked: false,
  feedback: null,
  reasoning: '',
  reasoning_ms: null,
  versions: [`${role} ${turn} ${role === 'ai' ? model : ''}`],
  continuable: false,
  figures: null,
  created_at: `2026-01-0${turn}T00:00:00Z`,
  ...more,
})
const turnsOf = (model: string, ...turns: number[]): ChatMessage[] =>
  turns.flatMap((turn) => [message('human', turn, model), message('ai', turn, model)])

const page = (groups: Record<string, ChatMessage[]>, more: Partial<MessagesPage> = {}): MessagesPage => ({
  session: null,
  models: Object.keys(groups).map((model) => ({ model, settings: null })),
  blind: false,
  groups: Object.entries(groups).map(([model, messages]) => ({ model, messages })),
  votes: [],
  has_more: false,
  ...more,
})
const empty: Comparison = { ...emptyComparison, key: 'k' }
const load = (receivedPage: MessagesPage, current = empty): Comparison => ({
  ...current,
  ...mergeNewestTurns(current, receivedPage),
})
const texts = ({ columns }: Pick<Comparison, 'columns'>) =>
  Object.fromEntries(
    columns.map(({ model, messages }) => [model, messages.map(({ text }) => text).join('|')]),
  )
const ASKED = {
  prompt: '问',
  models: ['a', 'b'],
  tools: [],
  block: null,
  content_type: 'text' as const,
  idempotency_key: 'i',
}

test('a page that is read again leaves what has not changed as it is', () => {
  const before = load(page({ a: turnsOf('a', 1), b: turnsOf('b', 1) }))
  const after = load(page({ a: turnsOf('a', 1), b: [...turnsOf('b', 1), ...turnsOf('b', 2)] }), before)
  expect(after.columns[0]?.messages[1]).toBe(before.columns[0]?.messages[1])
  expect(texts(after)).toEqual({ a: 'human 1|ai 1', b: 'human 1|ai 1|human 2|ai 2' })
})

test('older turns stay while newer ones are read again, also in a column that was not asked these', () => {
  const newest = page({ a: turnsOf('a', 3), b: turnsOf('b', 3) }, { has_more: true })
  const older = page({ a: turnsOf('a', 1, 2), b: turnsOf('b', 1) })
  const loadedTurns = { ...load(newest), ...prependOlderTurns(load(newest), older) }
  expect(loadedTurns.has_more).toBe(false)
  const next = page({ a: turnsOf('a', 3, 4), b: [] }, { has_more: true })
  const after = load(next, loadedTurns)
  expect(texts(after)).toEqual({
    a: 'human 1|ai 1|human 2|ai 2|human 3|ai 3|human 4|ai 4',
    b: 'human 1|ai 1',
  })
  expect(after.has_more).toBe(false)
})

test('a turn that was deleted elsewhere is gone', () => {
  const before = load(page({ a: turnsOf('a', 1, 2) }))
  expect(texts(load(page({ a: turnsOf('a', 1) }), before))).toEqual({ a: 'human 1|ai 1' })
})

test('a column that is swapped keeps its place, and the others what they said', () => {
  const before = load(page({ a: turnsOf('a', 1), b: turnsOf('b', 1) }))
  const models = ['c', 'b'].map((model) => ({ model, settings: null }))
  const after = applyColumns(before, { session: null, models, blind: true })
  expect(texts(after)).toEqual({ c: '', b: 'human 1|ai 1' })
  expect(after.blind).toBe(true)
})

test('a question stands in the columns that are asked, until the server has taken it', () => {
  const before = load(page({ a: turnsOf('a', 1), b: turnsOf('b', 1), c: turnsOf('c', 1) }))
  const columns = addQuestion(before.columns, ASKED)
  expect(texts({ columns })).toEqual({
    a: `human 1|ai 1|问|${PLACEHOLDER}`,
    b: `human 1|ai 1|问|${PLACEHOLDER}`,
    c: 'human 1|ai 1',
  })
  expect(listTurns(columns)).toHaveLength(2)
  const createdColumns = applyCreated(columns, {
    question: message('human', 2, ''),
    chat_messages: ['b', 'a'].map((model) => message('ai', 2, model, { status: 'typing', text: model })),
  })
  expect(texts({ columns: createdColumns })).toMatchObject({
    a: 'human 1|ai 1|human 2|a',
    b: 'human 1|ai 1|human 2|b',
  })
  expect(createdColumns.map(isAnswering)).toEqual([true, true, false])
  expect(createdColumns[0]?.messages.map(({ key }) => key)).toEqual(
    columns[0]?.messages.map(({ key }) => key),
  )
})

test('what the server says of a refused question stands in each answer, and the next question takes its place', () => {
  const askedColumns = addQuestion(load(page({ a: turnsOf('a', 1), b: [] })).columns, ASKED)
  const failure = { message: '余额不足', isRefused: true, marks: {} }
  const refusedColumns = applyFailure(askedColumns, ['a', 'b'], failure)
  const [question] = listTurns(refusedColumns).slice(-1)
  expect(question).not.toHaveProperty('idempotency_key')
  expect(refusedColumns.map((column) => question && findAnswer(column, question)?.error)).toEqual([
    '余额不足',
    '余额不足',
  ])
  expect(texts({ columns: addQuestion(refusedColumns, { ...ASKED, prompt: '再问' }) })).toMatchObject({
    b: `再问|${PLACEHOLDER}`,
  })
})

test('a question whose fate is unknown keeps its key, so that it is not asked twice', () => {
  const askedColumns = addQuestion(load(page({ a: [], b: [] })).columns, ASKED)
  const failure = { message: '网络断开', isRefused: false, marks: { unsent: true } } as const
  const [question] = listTurns(applyFailure(askedColumns, ['a', 'b'], failure))
  expect(question).toHaveProperty('idempotency_key', ASKED.idempotency_key)
})

test('one answer is waited for anew in its place; a column that joins late answers at its end', () => {
  const { columns } = load(page({ a: turnsOf('a', 1, 2), b: [] }))
  const [turn] = listTurns(columns)
  const again = addAnswer(columns, 'a', turn!)
  expect(texts({ columns: again })).toMatchObject({ a: `human 1|${PLACEHOLDER}|human 2|ai 2` })
  const joinedColumns = addAnswer(again, 'b', turn!)
  expect(texts({ columns: joinedColumns })).toMatchObject({ b: `human 1|${PLACEHOLDER}` })
  const createdColumns = applyCreated(joinedColumns, {
    question: turn!,
    chat_messages: [message('ai', 1, 'b', { text: '来了' })],
  })
  expect(texts({ columns: createdColumns })).toMatchObject({ b: 'human 1|来了' })
})
