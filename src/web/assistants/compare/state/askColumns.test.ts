import { expect, test, vi } from 'vitest'
import { createLocalAnswer, createLocalQuestion, isAnswerGrowing } from '#web/conversations/conversations.ts'
import { askCurrentColumns } from './askColumns.ts'
import { addModel } from './columnModels.ts'
import { getComparison } from './comparisonStore.ts'
import { stopColumns } from './follow.ts'

const stored = { sess_id: 'stopped', chat_id: 't1' }
const { key: _, local: __, ...question } = { ...createLocalQuestion('问', ''), ...stored, id: 'q1' }
const { key: ___, local: ____, ...answer } = { ...createLocalAnswer('a'), ...stored, id: 'a1' }
const session = { id: 'stopped' }
const messages = [question, { ...answer, status: 'cancelled', text: '' }]
const responses: Record<string, unknown> = {
  'POST /api/compare/models': { session, models: [], blind: false },
  'POST /api/chat/create': { question, chat_message: answer, chat_messages: [answer], session },
  'POST /api/chat/cancel': { chat_message: answer },
  'GET /api/compare/messages': {
    session,
    models: [{ model: 'a', settings: null }],
    blind: false,
    groups: [{ model: 'a', messages }],
    votes: [],
    has_more: false,
  },
}

test('a comparison that is stopped before it has its session is stopped when its question is sent', async () => {
  const calls: string[] = []
  let giveSession = () => {}
  vi.stubGlobal('fetch', (url: string, { method }: RequestInit) => {
    const call = `${method} ${url.split('?')[0]}`
    calls.push(call)
    if (call === 'POST /api/chat/session/new')
      return new Promise((resolve) => {
        giveSession = () => resolve(Response.json({ session }))
      })
    if (call === 'GET /api/chat/completions')
      return Promise.resolve(new Response('data: {"model":"a","state":"cancelled"}\n\ndata: [DONE]\n\n'))
    return Promise.resolve(Response.json(responses[call] ?? {}))
  })
  const id = 'draft-compare-stopped'
  await addModel(id, 'a')
  const about = { prompt: '问', tools: [], block: null, content_type: 'text' } as const
  const asking = askCurrentColumns(id, null, { ...about, tools: [] }, () => {})
  await stopColumns(id, ['a'])
  expect(calls).toEqual(['POST /api/chat/session/new'])
  giveSession()
  await asking
  expect(calls.filter((call) => call.startsWith('POST'))).toEqual([
    'POST /api/chat/session/new',
    'POST /api/compare/models',
    'POST /api/chat/create',
    'POST /api/chat/cancel',
  ])
  await vi.waitFor(() => expect(isAnswerGrowing()).toBe(false))
  expect(getComparison('stopped')?.columns[0]?.messages.at(-1)?.status).toBe('cancelled')
})
