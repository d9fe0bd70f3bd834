import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { ChatMessage } from '#contract/chat.ts'
import { expectCallError, getMessageLines } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()

const listMessages = async (client: Client, sessId?: string): Promise<ChatMessage[]> =>
  (await client.call('GET /api/chat/messages', { query: { sess_id: sessId, size: 100 } })).messages

const chooseVersion = (client: Client, id: string) =>
  client.call('POST /api/chat/versions/choose', { body: { id } })

/** Returns the model's latest prompt, as `role: text`. */
function getLastPrompt(): string[] {
  const { body } = world.upstream.requests.at(-1)!
  return (body as { messages: { role: string; content: string }[] }).messages.map(
    ({ role, content }) => `${role}: ${content}`,
  )
}

/** Creates two turns: 问一 → 答一, 问二 → 答二. */
async function createTwoTurns() {
  const client = await world.user()
  world.upstream.script('scripted', { text: '答一' }, { text: '答二' })
  const first = await client.ask('问一')
  const second = await client.ask('问二', { sess_id: first.sess_id })
  return { client, first, second, sess_id: first.sess_id }
}

/** Expects of every tree that the visible messages are one path of chosen ones, and that each fork has a chosen one. */
async function expectWholeTrees(): Promise<void> {
  const { rows } = await world.db().execute(sql`
    SELECT
      (SELECT count(*)::int FROM (SELECT parent_id FROM chat_messages GROUP BY sess_id, parent_id, lane
        HAVING count(*) FILTER (WHERE chosen) <> 1) undecided) AS undecided,
      (SELECT count(*)::int FROM chat_messages m WHERE (hidden_at IS NULL) <> (chosen AND (parent_id = sess_id
        OR EXISTS (SELECT 1 FROM chat_messages p WHERE p.id = m.parent_id AND p.hidden_at IS NULL)))) AS astray,
      (SELECT count(*)::int FROM chat_messages m WHERE parent_id <> sess_id AND NOT EXISTS (
        SELECT 1 FROM chat_messages p WHERE p.id = m.parent_id AND p.sess_id = m.sess_id
          AND (p.chat_id, p.id) < (m.chat_id, m.id))) AS rootless`)
  expect(rows[0]).toEqual({ undecided: 0, astray: 0, rootless: 0 })
}

describe('versions of an answer', () => {
  test('are kept; the one that is shown is what the next question follows', async () => {
    const { client, sess_id } = await createTwoTurns()
    world.upstream.script('scripted', { text: '答二·乙' }, { text: '答二·丙' }, { text: '答三' })
    await client.ask('', { sess_id, regen: true })
    await client.ask('', { sess_id, regen: true })
    const shown = (await listMessages(client, sess_id)).at(-1)!
    expect(shown).toMatchObject({ text: '答二·丙' })
    expect(shown.versions).toHaveLength(3)
    expect(shown.versions[2]).toBe(shown.id)

    const chosen = await chooseVersion(client, shown.versions[0]!)
    expect(chosen.chat_message).toMatchObject({ text: '答二', versions: shown.versions })
    expect(await getMessageLines(client, sess_id)).toEqual([
      'human: 问一',
      'ai: 答一',
      'human: 问二',
      'ai: 答二',
    ])
    await client.ask('问三', { sess_id })
    expect(getLastPrompt()).toEqual([
      'user: 问一',
      'assistant: 答一',
      'user: 问二',
      'assistant: 答二',
      'user: 问三',
    ])
    // Messages below a version are seen only with it.
    await chooseVersion(client, shown.id)
    expect((await getMessageLines(client, sess_id)).at(-1)).toBe('ai: 答二·丙')
    await chooseVersion(client, shown.versions[0]!)
    expect((await getMessageLines(client, sess_id)).at(-1)).toBe('ai: 答三')
    await expectWholeTrees()
  })

  test('of an earlier turn take what followed with them', async () => {
    const { client, first, sess_id } = await createTwoTurns()
    world.upstream.script('scripted', { text: '答一·乙' })
    await client.ask('', { sess_id, regen: true, chat_id: first.chat_id })
    expect(getLastPrompt()).toEqual(['user: 问一'])
    expect(await getMessageLines(client, sess_id)).toEqual(['human: 问一', 'ai: 答一·乙'])
    const [, answer] = await listMessages(client, sess_id)
    await chooseVersion(client, answer!.versions[0]!)
    expect(await getMessageLines(client, sess_id)).toEqual([
      'human: 问一',
      'ai: 答一',
      'human: 问二',
      'ai: 答二',
    ])
    await expectWholeTrees()
  })

  test('the answer of POST tells the versions already', async () => {
    const { client, sess_id, second } = await createTwoTurns()
    const { chat_message } = await client.call('POST /api/chat/create', { body: { sess_id, regen: true } })
    expect(chat_message.versions).toHaveLength(2)
    expect(chat_message.versions.at(-1)).toBe(chat_message.id)
    const waited = await client.call('POST /api/chat/completions', { query: { chat_id: second.chat_id } })
    expect(waited.chat_message.versions).toEqual(chat_message.versions)
  })
})

describe('another question in the place of one', () => {
  test('keeps the old one and all below it as a version', async () => {
    const { client, first, sess_id } = await createTwoTurns()
    world.upstream.script('scripted', { text: '答甲' })
    const edited = await client.ask('问甲', { sess_id, chat_id: first.chat_id, edit: true })
    expect(getLastPrompt()).toEqual(['user: 问甲'])
    expect(edited.chat_id).not.toBe(first.chat_id)
    expect(await getMessageLines(client, sess_id)).toEqual(['human: 问甲', 'ai: 答甲'])
    const [question] = await listMessages(client, sess_id)
    expect(question!.versions).toHaveLength(2)
    await chooseVersion(client, question!.versions[0]!)
    expect(await getMessageLines(client, sess_id)).toEqual([
      'human: 问一',
      'ai: 答一',
      'human: 问二',
      'ai: 答二',
    ])
    await chooseVersion(client, question!.id)
    expect(await getMessageLines(client, sess_id)).toEqual(['human: 问甲', 'ai: 答甲'])
    await expectWholeTrees()
  })

  test('in the middle keeps what came before', async () => {
    const { client, second, sess_id } = await createTwoTurns()
    world.upstream.script('scripted', { text: '答乙' })
    const { chat_message, question } = await client.call('POST /api/chat/create', {
      body: { prompt: '问乙', sess_id, chat_id: second.chat_id, edit: true },
    })
    expect(question.versions).toHaveLength(2)
    expect(chat_message.versions).toEqual([chat_message.id])
    expect(getLastPrompt()).toEqual(['user: 问一', 'assistant: 答一', 'user: 问乙'])
    expect((await getMessageLines(client, sess_id)).slice(0, 3)).toEqual([
      'human: 问一',
      'ai: 答一',
      'human: 问乙',
    ])
  })

  test('from a page that shows an older version leads there', async () => {
    const { client, first, second, sess_id } = await createTwoTurns()
    world.upstream.script('scripted', { text: '答甲' }, { text: '答丁' })
    await client.ask('问甲', { sess_id, chat_id: first.chat_id, edit: true })
    // The second turn is out of sight; the other page does not know yet.
    await client.ask('问丁', { sess_id, chat_id: second.chat_id, edit: true })
    expect(getLastPrompt()).toEqual(['user: 问一', 'assistant: 答一', 'user: 问丁'])
    expect(await getMessageLines(client, sess_id)).toEqual([
      'human: 问一',
      'ai: 答一',
      'human: 问丁',
      'ai: 答丁',
    ])
    await expectWholeTrees()
  })

  test('must say something, and be one thing at a time', async () => {
    const { client, first, sess_id } = await createTwoTurns()
    const edit = { sess_id, chat_id: first.chat_id, edit: true }
    expect((await expectCallError(client.ask('  ', edit))).body.code).toBe('empty_prompt')
    expect((await expectCallError(client.ask('x', { ...edit, regen: true }))).body.code).toBe('bad_request')
    expect(await getMessageLines(client, sess_id)).toHaveLength(4)
  })
})

describe('deleting a turn', () => {
  test('keeps what comes after it, and asks without it', async () => {
    const { client, first, sess_id } = await createTwoTurns()
    await client.call('DELETE /api/chat/turn/{chat_id}', { params: { chat_id: first.chat_id } })
    expect(await getMessageLines(client, sess_id)).toEqual(['human: 问二', 'ai: 答二'])
    world.upstream.script('scripted', { text: '答三' })
    await client.ask('问三', { sess_id })
    expect(getLastPrompt()).toEqual(['user: 问二', 'assistant: 答二', 'user: 问三'])
    await expectWholeTrees()
  })

  test('brings back the version beside it where nothing came after', async () => {
    const { client, second, sess_id } = await createTwoTurns()
    world.upstream.script('scripted', { text: '答乙' })
    const edited = await client.ask('问乙', { sess_id, chat_id: second.chat_id, edit: true })
    await client.call('DELETE /api/chat/turn/{chat_id}', { params: { chat_id: edited.chat_id } })
    expect(await getMessageLines(client, sess_id)).toEqual([
      'human: 问一',
      'ai: 答一',
      'human: 问二',
      'ai: 答二',
    ])
    expect((await listMessages(client, sess_id)).map(({ versions }) => versions.length)).toEqual([1, 1, 1, 1])
    await expectWholeTrees()
  })

  test('hangs every branch below it where it hung itself', async () => {
    const { client, first, sess_id } = await createTwoTurns()
    world.upstream.script('scripted', { text: '答一·乙' }, { text: '答丁' })
    await client.ask('', { sess_id, regen: true, chat_id: first.chat_id })
    await client.ask('问丁', { sess_id })
    await client.call('DELETE /api/chat/turn/{chat_id}', { params: { chat_id: first.chat_id } })
    expect(await getMessageLines(client, sess_id)).toEqual(['human: 问丁', 'ai: 答丁'])
    const [question] = await listMessages(client, sess_id)
    expect(question!.versions).toHaveLength(2)
    await chooseVersion(client, question!.versions[0]!)
    expect(await getMessageLines(client, sess_id)).toEqual(['human: 问二', 'ai: 答二'])
    await expectWholeTrees()
  })

  test('the last one leaves an empty conversation, which goes on', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { text: '答' })
    const { chat_id, sess_id } = await client.ask('问')
    await client.call('DELETE /api/chat/turn/{chat_id}', { params: { chat_id } })
    expect(await getMessageLines(client, sess_id)).toEqual([])
    const gone = client.call('DELETE /api/chat/turn/{chat_id}', { params: { chat_id } })
    expect((await expectCallError(gone)).body.code).toBe('not_found')
    await client.ask('再问', { sess_id })
    expect(await getMessageLines(client, sess_id)).toEqual(['human: 再问', 'ai: 答'])
    await expectWholeTrees()
  })
})

describe('while something is being answered', () => {
  test('nothing steps in its way', async () => {
    const { client, first, sess_id } = await createTwoTurns()
    const [question] = await listMessages(client, sess_id)
    world.upstream.script('scripted', { text: '慢慢说', stall: 'headers' })
    const { chat_message } = await client.call('POST /api/chat/create', { body: { prompt: '问三', sess_id } })
    const { chat_id } = first
    const tries = await Promise.all([
      expectCallError(chooseVersion(client, question!.id)),
      expectCallError(client.call('DELETE /api/chat/turn/{chat_id}', { params: { chat_id } })),
      expectCallError(client.ask('改', { sess_id, chat_id, edit: true })),
      expectCallError(client.ask('', { sess_id, chat_id, regen: true })),
      expectCallError(client.ask('', { sess_id, chat_id, continue: true })),
    ])
    for (const { body } of tries) expect(body.code).toBe('turn_running')
    world.upstream.release()
    await client.call('POST /api/chat/completions', { query: { chat_id: chat_message.chat_id } })
    expect(await getMessageLines(client, sess_id)).toHaveLength(6)
    await expectWholeTrees()
  })

  test('of an edit, a regeneration, a choice and a deletion at the same moment the tree stays whole', async () => {
    let client = await world.user()
    for (let round = 0; round < (process.env.FAULTS_FULL ? 100 : 8); round++) {
      // One person may not ask that often, and one address not sign in that often.
      if (round % 10 === 9) client = await world.user()
      world.upstream.script('scripted', { text: '答' })
      const { session } = await client.call('POST /api/chat/session/new', { body: {} })
      const sessId = session.id
      const [one, two] = [
        await client.ask('问一', { sess_id: sessId }),
        await client.ask('问二', { sess_id: sessId }),
      ]
      await client.ask('', { sess_id: sessId, regen: true })
      const older = (await listMessages(client, sessId)).at(-1)!.versions[0]!
      const before = world.upstream.requests.length
      const done = await Promise.allSettled([
        client.ask('改一', { sess_id: sessId, chat_id: one.chat_id, edit: true }),
        client.ask('', { sess_id: sessId, chat_id: two.chat_id, regen: true }),
        client.ask('', { sess_id: sessId, chat_id: one.chat_id, regen: true }),
        chooseVersion(client, older),
        client.call('DELETE /api/chat/turn/{chat_id}', { params: { chat_id: two.chat_id } }),
      ])
      for (const one of done) {
        if (one.status === 'rejected') expect(['turn_running', 'not_found']).toContain(one.reason.body.code)
      }
      const asked = done.slice(0, 3).filter(({ status }) => status === 'fulfilled').length
      expect(world.upstream.requests.length - before).toBe(asked)
      await expectWholeTrees()
    }
  })
})

test("somebody else's messages and turns read like ones that never were", async () => {
  const { client, first, sess_id } = await createTwoTurns()
  const other = await world.user()
  const [question] = await listMessages(client, sess_id)
  const mine = await other.ask('我的')
  const random = '01890000-0000-7000-8000-000000000000'
  for (const id of [question!.id, random])
    expect((await expectCallError(chooseVersion(other, id))).body.code).toBe('not_found')
  for (const chatId of [first.chat_id, random]) {
    const calls = await Promise.all([
      expectCallError(other.call('DELETE /api/chat/turn/{chat_id}', { params: { chat_id: chatId } })),
      expectCallError(other.ask('x', { sess_id: mine.sess_id, chat_id: chatId, edit: true })),
      expectCallError(other.ask('', { sess_id: mine.sess_id, chat_id: chatId, continue: true })),
      expectCallError(other.ask('', { sess_id: mine.sess_id, chat_id: chatId, regen: true })),
    ])
    for (const { body } of calls) expect(body.code).toBe('not_found')
  }
  const append = other.call('POST /api/chat/prompts/append', { body: { sess_id } })
  expect((await expectCallError(append)).body.code).toBe('not_found')
  expect(await getMessageLines(client, sess_id)).toHaveLength(4)
  expect(await getMessageLines(other, mine.sess_id)).toHaveLength(2)
})

test('conversations from before there were versions keep their order and what was replaced', async () => {
  const { client, sess_id } = await createTwoTurns()
  await client.ask('', { sess_id, regen: true })
  const db = world.db()
  const tree = async () => {
    const { rows } = await db.execute(sql`
      SELECT id, parent_id, chosen, hidden_at FROM chat_messages WHERE sess_id = ${sess_id} ORDER BY id`)
    return rows
  }
  const before = await tree()
  expect(before.filter(({ chosen }) => !chosen)).toHaveLength(1)
  await db.execute(sql`ALTER TABLE chat_messages ALTER COLUMN parent_id DROP NOT NULL`)
  await db.execute(sql`UPDATE chat_messages SET parent_id = NULL, chosen = true`)
  // A later migration renamed the column.
  const statement = await readMigration('"parent_id" = coalesce(')
  await db.execute(sql.raw(statement.replaceAll('replaced_at', 'hidden_at')))
  await db.execute(sql`ALTER TABLE chat_messages ALTER COLUMN parent_id SET NOT NULL`)
  expect(await tree()).toEqual(before)
})

/** Returns the statement of the migrations that contains these words. */
async function readMigration(words: string): Promise<string> {
  const names = (await readdir('migrations')).filter((name) => name.endsWith('.sql'))
  const files = await Promise.all(names.map((name) => readFile(join('migrations', name), 'utf8')))
  return files.flatMap((file) => file.split('--> statement-breakpoint')).find((one) => one.includes(words))!
}
