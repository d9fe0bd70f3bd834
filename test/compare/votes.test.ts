import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { computeScores } from '#server/assistants/compare/scoreboard.ts'
import { classifyQuestion } from '#server/assistants/compare/kind.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { signIn } from '../world/sign-in.ts'
import { useWorld } from '../world/use-world.ts'
import { askAll, createComparison } from './comparison.ts'

const world = useWorld()
let client: Client
beforeAll(async () => {
  client = await world.user()
  world.upstream.script('scripted', { text: '甲' })
  world.upstream.script('flat', { text: '乙' })
})

const vote = (asker: Client, body: { chat_id: string; winner: string; kind?: 'writing' }) =>
  asker.call('POST /api/compare/votes', { body })

test('votes are kept with what they are about, changed, and summed up on the scoreboard', async () => {
  const { chatbot, sess_id } = await createComparison(client, ['scripted', 'flat'])
  const first = await askAll(client, { chatbot, prompt: '把“你好”翻译成英文' })
  const second = await askAll(client, { chatbot, prompt: '写一首关于秋天的诗' })
  expect((await vote(client, { ...first, winner: 'scripted' })).vote).toEqual({
    chat_id: first.chat_id,
    winner: 'scripted',
    kind: 'translation',
  })
  await vote(client, { ...first, winner: 'flat' })
  await vote(client, { ...second, winner: 'tie' })
  const { votes } = await client.call('GET /api/compare/messages', { query: { chatbot } })
  expect(votes).toEqual([
    { chat_id: first.chat_id, winner: 'flat', kind: 'translation' },
    { chat_id: second.chat_id, winner: 'tie', kind: 'writing' },
  ])
  const { scores, kinds } = await client.call('GET /api/compare/scoreboard', {})
  expect(kinds).toEqual([
    { kind: 'writing', votes: 1 },
    { kind: 'translation', votes: 1 },
  ])
  expect(scores).toMatchObject([
    { model: 'flat', votes: 2, wins: 1, ties: 1, losses: 0, win_rate: 0.75, amount: 1 },
    { model: 'scripted', votes: 2, wins: 0, ties: 1, losses: 1, win_rate: 0.25, amount: 0 },
  ])
  expect(scores[0]!.rating).toBeGreaterThan(1000)
  expect(scores[1]!.rating).toBeLessThan(1000)
  const writing = await client.call('GET /api/compare/scoreboard', { query: { kind: 'writing' } })
  expect(writing.scores).toMatchObject([
    { votes: 1, ties: 1 },
    { votes: 1, ties: 1 },
  ])
  // The score outlives the conversation.
  await client.call('DELETE /api/chat/session/{id}', { params: { id: sess_id } })
  expect(await client.call('GET /api/compare/scoreboard', {})).toEqual({ scores, kinds })
  await world.db().execute(sql`UPDATE compare_votes SET created_at = now() - interval '8 days'`)
  expect((await client.call('GET /api/compare/scoreboard', { query: { days: 7 } })).scores).toEqual([])
  expect((await world.visitor().call('GET /api/compare/scoreboard', {})).scores).toEqual([])
})

test('only answers that are done are voted on, by whom they belong to', async () => {
  const { chatbot } = await createComparison(client, ['scripted', 'flat', 'seeing'])
  world.upstream.script('seeing', { status: 400, body: '{}' })
  const { chat_id } = await askAll(client, { chatbot, prompt: '问' })
  const refused = async (body: { chat_id: string; winner: string }, asker = client) =>
    (await expectCallError(vote(asker, body))).body.code
  expect(await refused({ chat_id, winner: 'seeing' })).toBe('vote_unready')
  expect(await refused({ chat_id, winner: 'scripted' }, await world.user())).toBe('not_found')
  const single = await askAll(client, { chatbot, prompt: '问', model: 'flat' })
  expect(await refused({ chat_id: single.chat_id, winner: 'flat' })).toBe('vote_unready')
  const plain = await client.ask('问')
  expect(await refused({ chat_id: plain.chat_id, winner: 'scripted' })).toBe('not_found')
  await vote(client, { chat_id, winner: 'none', kind: 'writing' })
  const { scores } = await client.call('GET /api/compare/scoreboard', { query: { kind: 'writing', days: 1 } })
  expect(scores.map(({ model, losses }) => [model, losses])).toEqual([
    ['flat', 1],
    ['scripted', 1],
  ])
})

test('the comparisons and votes of a guest become those of the account that they sign in to', async () => {
  const guest = world.visitor()
  await guest.call('POST /api/compare/models', { body: { model: 'scripted' } })
  const { session } = await guest.call('GET /api/compare/messages', {})
  const { rows } = await world.db().execute<{ user_id: string }>(sql`
    SELECT user_id FROM chat_sessions WHERE id = ${session!.id}`)
  await world.db().execute(sql`
    INSERT INTO compare_votes (user_id, chat_id, kind, winner, answers)
    VALUES (${rows[0]!.user_id}, ${session!.id}, 'math', 'none', '[]')`)
  const { kinds } = await guest.call('GET /api/compare/scoreboard', {})
  expect(kinds).toEqual([{ kind: 'math', votes: 1 }])
  await signIn(guest, 'compares@example.com', world.data_dir)
  expect((await guest.call('GET /api/compare/scoreboard', {})).kinds).toEqual(kinds)
  const moved = await guest.call('GET /api/compare/messages', {
    query: { chatbot: `compare-${session!.id}` },
  })
  expect(moved.models).toEqual([{ model: 'scripted', settings: null }])
})

test('a rating is what the votes make likely, whatever their order', () => {
  const round = (winner: string, ...models: string[]) => ({
    winner,
    answers: models.map((model) => ({
      model,
      first_text_ms: 500,
      duration_ms: 2_500,
      output_tokens: 100,
      amount: 0.5,
    })),
  })
  const votes = [
    ...Array.from({ length: 6 }, () => round('a', 'a', 'b', 'c')),
    ...Array.from({ length: 3 }, () => round('b', 'b', 'c')),
    round('tie', 'a', 'b'),
    round('none', 'a', 'd'),
  ]
  const scores = computeScores(votes)
  const ratings = Object.fromEntries(scores.map(({ model, rating }) => [model, rating]))
  expect(ratings['a']).toBeGreaterThan(ratings['b']!)
  expect(ratings['b']).toBeGreaterThan(ratings['c']!)
  // No vote is about it.
  expect(ratings['d']).toBe(1000)
  expect(computeScores(votes.toReversed())).toEqual(scores)
  expect(scores[0]).toMatchObject({ first_text_ms: 500, tokens_per_second: 50, amount: 0.5 })
  // One win is no proof of strength without bounds.
  expect(computeScores([round('a', 'a', 'b')])[0]!.rating).toBeLessThan(1300)
})

test.each([
  ['用 Python 写一个快速排序', 'code'],
  ['这段代码为什么报错：```js\nlet a\n```', 'code'],
  ['把下面的话翻译成英文：今天天气很好', 'translation'],
  ['Translate this into Chinese: good morning', 'translation'],
  ['计算 12 × 34 等于几', 'math'],
  ['求解方程 x^2 - 5x + 6 = 0', 'math'],
  ['写一封辞职信', 'writing'],
  ['帮我润色这段文字', 'writing'],
  ['黑洞是什么？', 'knowledge'],
  ['为什么天空是蓝色的', 'knowledge'],
  ['你好', 'other'],
])('%s is about %s', (text, kind) => {
  expect(classifyQuestion({ text, block: null, content_type: 'text' })).toBe(kind)
})

test('a question with a document is about that, a spoken one by itself is not', () => {
  const text = '写一首诗'
  expect(classifyQuestion({ text, block: 'a', content_type: 'text' })).toBe('document')
  expect(classifyQuestion({ text, block: 'a', content_type: 'audio' })).toBe('writing')
  expect(classifyQuestion({ text, block: 'a,b', content_type: 'audio' })).toBe('document')
})
