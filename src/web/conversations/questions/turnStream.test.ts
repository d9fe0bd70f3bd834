import { beforeEach, expect, test, vi } from 'vitest'
import type { TurnState } from './turnState.ts'
import { readTurn } from './turnStream.ts'

const event = (id: string, model: string, deltaContent: string) =>
  `id: ${id}\ndata: ${JSON.stringify({ model, delta_content: deltaContent })}\n\n`
const texts = ({ lanes }: TurnState) =>
  Object.fromEntries(Object.entries(lanes).map(([lane, { text }]) => [lane, text]))

beforeEach(() => {
  vi.stubGlobal('addEventListener', () => {})
  vi.useFakeTimers()
})

test('a reader that was cut comes back to where each lane was, and shows the whole at the end', async () => {
  const resumedFrom: (string | undefined)[] = []
  const bodies = [
    event('r1:1', 'a', '问') + event('r2:2', 'b', '那得'),
    event('r1:2', 'a', '渠') + 'data: [DONE]\n\n',
  ]
  vi.stubGlobal('fetch', (_url: string, { headers }: { headers: Record<string, string> }) => {
    resumedFrom.push(headers['Last-Event-ID'])
    return Promise.resolve(new Response(bodies[resumedFrom.length - 1]))
  })
  const shown: unknown[] = []
  const reading = readTurn({ chat_id: 't' }, (turn) => shown.push(texts(turn)), new AbortController().signal)
  await vi.runAllTimersAsync()
  expect(await reading).toMatchObject({ failure: null, turn: { isOver: true } })
  expect(resumedFrom).toEqual([undefined, 'r1:1,r2:2'])
  expect(shown).toEqual([
    { a: '问', b: '那得' },
    { a: '问渠', b: '那得' },
  ])
})

test('a turn that the server does not know is gone; one that nobody follows any more is shown no more', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({}, { status: 404 })))
  const show = vi.fn<(turn: TurnState) => void>()
  expect(await readTurn({ chat_id: 't' }, show, new AbortController().signal)).toMatchObject({
    failure: { state: 'gone' },
  })
  show.mockClear()
  await expect(readTurn({ chat_id: 't' }, show, AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
  expect(show).not.toHaveBeenCalled()
})
