import { beforeEach, expect, test, vi } from 'vitest'
import type { Column } from '#contract/compare/compare.ts'
import { askCurrentColumns } from './askColumns.ts'
import {
  addModel,
  chooseModels,
  ensureSession,
  removeModel,
  setBlind,
  updateColumnSettings,
} from './columnModels.ts'
import { createLocalComparisonId, getComparison } from './comparisonStore.ts'

/** The comparison as the server has it. */
let serverState: { models: Column[]; blind: boolean }
/** The calls in their order, each with the models that were stored before it. */
let calls: { call: string; before: string[]; body: Record<string, unknown> }[]
/** An action of the person's at the moment when the server has this many models. */
let meanwhile: { models: number; act: () => void } | null

const plain = (model: string): Column => ({ model, settings: null })
const listModels = ({ models }: { models: readonly Column[] }) => models.map(({ model }) => model)

function answer(call: string, body: Record<string, unknown>): unknown {
  calls.push({ call, before: listModels(serverState), body })
  if (call === 'POST /api/chat/create') return Promise.reject(new TypeError('no network'))
  if (call === 'POST /api/compare/models') {
    const { model, settings } = body as Column
    serverState.models = [
      ...serverState.models.filter((column) => column.model !== model),
      { model, settings },
    ]
  }
  if (call === 'POST /api/compare/models/clear') serverState.models = []
  if (call === 'PUT /api/compare') serverState.blind = body.blind as boolean
  if (serverState.models.length === meanwhile?.models) {
    const { act } = meanwhile
    meanwhile = null
    act()
  }
  return { session: { id: sessId }, ...serverState }
}
vi.stubGlobal('fetch', async (url: string, { method, body }: { method: string; body?: string }) => {
  const call = `${method} ${url.split('?')[0]}`
  return new Response(JSON.stringify(await answer(call, body ? JSON.parse(body) : {})))
})

let sessId = ''
let last = 0
beforeEach(() => {
  sessId = `s${++last}`
  serverState = { models: [], blind: false }
  calls = []
  meanwhile = null
})

/** Gives a draft its session, and changes the draft when two of its models are stored. */
async function createWhile(act: (id: string) => void): Promise<void> {
  const id = createLocalComparisonId()
  await chooseModels(id, ['甲', '乙', '丙'])
  meanwhile = { models: 2, act: () => act(id) }
  await ensureSession(id, () => {})
}

const settings = { temperature: 0.5 }
const columnsHere = () => getComparison(sessId)?.columns.map((column) => ({ ...column, messages: undefined }))

test.each<[string, (id: string) => void, Partial<typeof serverState>]>([
  ['a model is removed', (id) => void removeModel(id, '甲'), { models: [plain('乙'), plain('丙')] }],
  [
    'a model is added',
    (id) => void addModel(id, '丁'),
    { models: [plain('甲'), plain('乙'), plain('丙'), plain('丁')] },
  ],
  ['others are chosen', (id) => void chooseModels(id, ['丁']), { models: [plain('丁')] }],
  [
    'a column is told something',
    (id) => void updateColumnSettings(id, '甲', settings),
    { models: [{ model: '甲', settings }, plain('乙'), plain('丙')] },
  ],
  ['names are hidden', (id) => void setBlind(id, true), { blind: true }],
])('%s while a comparison is given its session: it has that, too', async (_, act, expected) => {
  await createWhile(act)
  expect(serverState).toMatchObject(expected)
  expect(getComparison(sessId)).toMatchObject(expected.models ? { columns: expected.models } : expected)
  expect(columnsHere()).toEqual(serverState.models.map((column) => ({ ...column, messages: undefined })))
})

test('a question asks the models that were chosen as it was sent, when all of them are columns', async () => {
  let asking: Promise<void> | undefined
  await createWhile((id) => {
    void removeModel(id, '甲')
    void addModel(id, '丁')
    asking = askCurrentColumns(
      id,
      null,
      { prompt: '问', tools: [], block: null, content_type: 'text' },
      () => {},
    )
  })
  await asking
  const createCall = calls.find(({ call }) => call === 'POST /api/chat/create')
  expect(createCall).toMatchObject({ before: ['乙', '丙', '丁'], body: { models: ['乙', '丙', '丁'] } })
})

test('a draft that is not changed meanwhile is sent once', async () => {
  await createWhile(() => {})
  expect(calls.map(({ call }) => call)).toEqual([
    'POST /api/chat/session/new',
    ...Array<string>(3).fill('POST /api/compare/models'),
  ])
})
