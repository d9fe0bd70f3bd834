import { describe, expect, test } from 'vitest'
import { PLACEHOLDER } from '#contract/chat.ts'
import { createId } from '#server/core/ids.ts'
import { expectCallError, getMessageLines } from '../world/client.ts'
import type { Client, CallError } from '../world/client.ts'
import { useOwnWorld, useWorld } from '../world/use-world.ts'
import { impatientModels } from '../world/world.ts'

const world = useWorld()

/** Scripts a model that stops in the middle of its answer until the test lets it go on. */
const scriptStall = (text: string, frame = 3) => {
  world.upstream.script('scripted', { text, chars: 2, stall: frame })
}
const LONG = '问渠那得清如许？为有源头活水来。'.repeat(20)

describe('one question', () => {
  test('is answered in a stream of deltas that ends with [DONE]', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { text: LONG, chars: 3, every_ms: 2 })
    const { text, end, sess_id } = await client.ask('源头在哪里？')
    expect(end).toBe('[DONE]')
    expect(text).toBe(LONG)
    expect(await getMessageLines(client, sess_id)).toEqual(['human: 源头在哪里？', `ai: ${LONG}`])
  })

  test('comes with the conversation so far', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { text: '一' }, { text: '二' })
    const { sess_id } = await client.ask('第一个问题')
    await client.ask('第二个问题', { sess_id })
    const { body } = world.upstream.requests.at(-1)!
    expect((body as { messages: unknown }).messages).toEqual([
      { role: 'user', content: '第一个问题' },
      { role: 'assistant', content: '一' },
      { role: 'user', content: '第二个问题' },
    ])
  })

  test('reads as the placeholder until its first text', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { text: '好', stall: 'headers' })
    const { chat_message } = await client.call('POST /api/chat/create', { body: { prompt: '在吗' } })
    expect(chat_message).toMatchObject({ role: 'ai', text: PLACEHOLDER, status: 'typing', model: 'scripted' })
    expect(await getMessageLines(client)).toEqual(['human: 在吗', `ai: ${PLACEHOLDER}`])
    world.upstream.release()
    const done = await client.call('POST /api/chat/completions', { query: { chat_id: chat_message.chat_id } })
    expect(done.chat_message).toMatchObject({ text: '好', status: 'done' })
  })

  test('may be waited for without a stream', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { text: LONG, every_ms: 1 })
    const { chat_message } = await client.call('POST /api/chat/create', {
      body: { prompt: 'x', stream: false },
    })
    const { chat_id } = chat_message
    const [one, two] = await Promise.all([
      client.call('POST /api/chat/completions', { query: { chat_id } }),
      client.call('POST /api/chat/completions', { query: { chat_id } }),
    ])
    expect(one.chat_message).toMatchObject({ text: LONG, status: 'done', stream: false })
    expect(two).toEqual(one)
  })

  test('replaces instead of appends for models whose name contains farui', async () => {
    const client = await world.user()
    world.upstream.script('farui-scripted', { text: LONG, chars: 20, cumulative: true, every_ms: 5 })
    const { text, sess_id } = await client.ask('合同', { model: 'farui-scripted' })
    expect(text).toBe(LONG)
    expect(await getMessageLines(client, sess_id)).toContain(`ai: ${LONG}`)
  })

  test('keeps characters that a platform cuts in two', async () => {
    const client = await world.user()
    const piece = (content: string) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`
    const raw = [piece('a\ud83d'), piece('\ude00b\ud83d'), piece('c\u0000d'), 'data: [DONE]\n\n']
    world.upstream.script('scripted', { raw })
    const { text, sess_id } = await client.ask('表情')
    expect(text).toBe('a😀b\ufffdcd')
    expect(await getMessageLines(client, sess_id)).toContain('ai: a😀b\ufffdcd')
  })
})

describe('reading an answer', () => {
  test('a second reader and one that comes back see the same text, once', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { text: LONG, chars: 4, every_ms: 4 })
    const { chat_message } = await client.call('POST /api/chat/create', { body: { prompt: 'x' } })
    const read = async (cut: number): Promise<string> => {
      let [text, id, events] = ['', '', 0]
      for (;;) {
        const gone = new AbortController()
        const headers: Record<string, string> = id ? { 'Last-Event-ID': id } : {}
        try {
          for await (const event of client.events(chat_message.chat_id, { headers, signal: gone.signal })) {
            if (event.data === '[DONE]') return text
            id = event.id ?? id
            text += (JSON.parse(event.data) as { delta_content: string }).delta_content
            if (++events % cut === 0) gone.abort()
          }
        } catch {
          if (!gone.signal.aborted) throw new Error('the stream broke')
        }
      }
    }
    expect(await Promise.all([read(1), read(2), read(1000)])).toEqual([LONG, LONG, LONG])
    // After its end, from the start and from any position.
    expect(await read(1000)).toBe(LONG)
  })

  test('goes on from every position, and from a nonsensical one at the start', async () => {
    const client = await world.user()
    const answer = '甲😀乙'.repeat(30)
    world.upstream.script('scripted', { text: answer })
    const { chat_id } = await client.ask('x')
    const from = async (id: string): Promise<string> => {
      let text = ''
      for await (const { data } of client.events(chat_id, { headers: { 'Last-Event-ID': id } })) {
        if (data !== '[DONE]') text += (JSON.parse(data) as { delta_content: string }).delta_content
      }
      return text
    }
    const [first] = await Array.fromAsync(client.events(chat_id))
    const run = first!.id!.split(':')[0]!
    const read = await Promise.all(Array.from(answer, (_, at) => from(`${run}:${at}`)))
    expect(read).toEqual(Array.from(answer, (_, at) => answer.slice(at)))
    for (const id of ['', 'x', `${run}:-1`, `${run}:1e9`, `${run}:${answer.length + 1}`, 'another:5']) {
      expect(await from(id)).toBe(answer)
    }
    expect(await from(`${run}:${answer.length}`)).toBe('')
  })

  test('a reader that leaves stops nothing', async () => {
    const client = await world.user()
    scriptStall(LONG)
    const { chat_message } = await client.call('POST /api/chat/create', { body: { prompt: 'x' } })
    const gone = new AbortController()
    for await (const _ of client.events(chat_message.chat_id, { signal: gone.signal })) break
    gone.abort()
    world.upstream.release()
    const { chat_message: done } = await client.call('POST /api/chat/completions', {
      query: { chat_id: chat_message.chat_id },
    })
    expect(done).toMatchObject({ status: 'done', text: LONG })
  })

  test("somebody else's answer reads like one that never was", async () => {
    const owner = await world.user()
    const { chat_id, sess_id } = await owner.ask('私事')
    const other = await world.user()
    const random = '01890000-0000-7000-8000-000000000000'
    for (const id of [chat_id, random]) {
      expect((await expectCallError(other.events(id).next())).status).toBe(404)
      expect(
        (await expectCallError(other.call('POST /api/chat/completions', { query: { chat_id: id } }))).status,
      ).toBe(404)
      expect(
        (await expectCallError(other.call('POST /api/chat/cancel', { body: { chat_id: id } }))).status,
      ).toBe(404)
    }
    for (const id of [sess_id, random]) {
      const calls = await Promise.all([
        expectCallError(other.call('GET /api/chat/messages', { query: { sess_id: id } })),
        expectCallError(other.call('DELETE /api/chat/messages', { query: { sess_id: id } })),
        expectCallError(other.call('POST /api/chat/session/switch', { body: { sess_id: id } })),
        expectCallError(other.call('DELETE /api/chat/session/{id}', { params: { id } })),
        expectCallError(other.call('POST /api/chat/create', { body: { prompt: 'x', sess_id: id } })),
      ])
      for (const { body } of calls) expect(body.code).toBe('not_found')
    }
    expect(await getMessageLines(owner, sess_id)).toHaveLength(2)
  })
})

describe('stopping and answering again', () => {
  test('a stopped answer keeps what it said, and the upstream is hung up on', async () => {
    const client = await world.user()
    scriptStall('甲乙丙丁戊己庚辛', 3)
    const { chat_message } = await client.call('POST /api/chat/create', { body: { prompt: 'x' } })
    const reader = client.events(chat_message.chat_id)
    expect(JSON.parse((await reader.next()).value!.data)).toMatchObject({
      delta_content: expect.stringMatching(/^甲/),
    })
    const stopped = await client.call('POST /api/chat/cancel', { body: { chat_id: chat_message.chat_id } })
    expect(stopped.chat_message).toMatchObject({ status: 'cancelled', error: null })
    expect('甲乙丙丁戊己庚辛'.startsWith(stopped.chat_message.text)).toBe(true)
    const rest: string[] = []
    for await (const { data } of reader) rest.push(data)
    expect(rest.slice(-2)).toEqual([JSON.stringify({ state: 'cancelled' }), '[DONE]'])
    await expect.poll(() => world.upstream.requests.at(-1)?.aborted).toBe(true)
    world.upstream.release()
  })

  test('regenerating takes the last answer away and asks the same question', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { text: '第一次' }, { text: '第二次' })
    const { sess_id, chat_id } = await client.ask('再说一遍')
    const again = await client.ask('', { sess_id, regen: true })
    expect(again).toMatchObject({ chat_id, text: '第二次' })
    expect(await getMessageLines(client, sess_id)).toEqual(['human: 再说一遍', 'ai: 第二次'])
    const { body } = world.upstream.requests.at(-1)!
    expect((body as { messages: unknown[] }).messages).toEqual([{ role: 'user', content: '再说一遍' }])
  })

  test('there must be something to answer', async () => {
    const client = await world.user()
    expect((await expectCallError(client.ask('   '))).body).toMatchObject({
      code: 'empty_prompt',
      message: '上一条消息为空，请重新输入',
    })
    expect((await expectCallError(client.ask('', { regen: true }))).body.code).toBe('empty_prompt')
  })

  test('about a file that is not there, or spoken, is refused before anything is asked or stored', async () => {
    const client = await world.user()
    const asked = world.upstream.requests.length
    for (const [body, code] of [
      [{ prompt: '讲了什么？', block: 'b1' }, 'not_found'],
      [{ prompt: '讲了什么？', block: createId() }, 'not_found'],
      [{ prompt: '听', content_type: 'audio' }, 'audio_unavailable'],
      [{ content_type: 'audio' }, 'audio_unavailable'],
    ] as const) {
      const refusal = await expectCallError(client.call('POST /api/chat/create', { body }))
      expect([refusal.status, refusal.body.code]).toEqual([code === 'not_found' ? 404 : 422, code])
    }
    expect(world.upstream.requests).toHaveLength(asked)
    expect((await client.call('GET /api/chat/sessions', {})).total).toBe(0)
  })

  test('of a double click one question is asked', async () => {
    const client = await world.user()
    const { session } = await client.call('POST /api/chat/session/new', { body: {} })
    scriptStall('好')
    const before = world.upstream.requests.length
    const clicks = Array.from({ length: 6 }, () =>
      client.call('POST /api/chat/create', { body: { prompt: '一次', sess_id: session.id } }),
    )
    const answers = await Promise.allSettled(clicks)
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const answer of answers) {
      if (answer.status === 'rejected') expect((answer.reason as CallError).body.code).toBe('turn_running')
    }
    world.upstream.release()
    await expect.poll(() => getMessageLines(client, session.id)).toEqual(['human: 一次', 'ai: 好'])
    expect(world.upstream.requests.length).toBe(before + 1)
  })
})

describe('an Idempotency-Key', () => {
  const create = (client: Client, key: string, prompt: string) =>
    client.call('POST /api/chat/create', { body: { prompt } }, { headers: { 'Idempotency-Key': key } })

  test('makes the same request the same turn, at the same moment and later', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { text: '一次' })
    const before = world.upstream.requests.length
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(client, 'k1', '问')))
    const chatIds = new Set(answers.map(({ chat_message }) => chat_message.chat_id))
    expect(chatIds.size).toBe(1)
    await client.call('POST /api/chat/completions', { query: { chat_id: [...chatIds][0]! } })
    const later = await create(client, 'k1', '问')
    expect(later.chat_message).toMatchObject({ chat_id: [...chatIds][0], text: '一次', status: 'done' })
    expect(await getMessageLines(client)).toEqual(['human: 问', 'ai: 一次'])
    expect(world.upstream.requests.length).toBe(before + 1)
  })

  test("refuses another request under it, and is each user's own", async () => {
    const [one, two] = [await world.user(), await world.user()]
    const first = await create(one, 'k2', '甲')
    expect((await expectCallError(create(one, 'k2', '乙'))).body.code).toBe('idempotency_mismatch')
    expect((await expectCallError(create(one, 'k'.repeat(256), '甲'))).status).toBe(400)
    expect((await create(two, 'k2', '乙')).chat_message.chat_id).not.toBe(first.chat_message.chat_id)
  })
})

describe('upstream faults', () => {
  const world = useOwnWorld({ models: impatientModels })
  test.each([
    ['500', { status: 500 }, 'upstream_failed', ''],
    ['429', { status: 429, headers: { 'Retry-After': '3' } }, 'upstream_rate_limited', ''],
    ['cut in the middle', { text: '甲乙丙丁', chars: 1, cut: 3, every_ms: 5 }, 'upstream_cut', '甲'],
    ['silence', { text: '甲乙丙丁', chars: 1, stall: 3 }, 'upstream_timeout', '甲'],
    [
      'nonsense',
      { raw: ['data: {"choices":[{"delta":{"content":"甲"}}]}\n\n', 'data: {{{\n\n'] },
      'upstream_malformed',
      '甲',
    ],
    ['nothing', { text: '' }, 'upstream_empty', ''],
  ])('%s ends the answer with a clear message and no [DONE]', async (_, script, code, start) => {
    const client = await world.user()
    world.upstream.script('scripted', script)
    const { end, text, sess_id } = await client.ask('x')
    world.upstream.release()
    const { error } = JSON.parse(end) as { error: { code: string; message: string; request_id: string } }
    expect(error.code).toBe(code)
    expect(error.message).toMatch(/[\u4e00-\u9fff]{4,}/)
    expect(text.startsWith(start)).toBe(true)
    const { messages } = await client.call('GET /api/chat/messages', { query: { sess_id } })
    const shown = text || error.message
    expect(messages.at(-1)).toMatchObject({ role: 'ai', status: 'failed', text: shown, error: error.message })
    world.upstream.script('scripted', { text: '好了' })
    expect(await client.ask('', { sess_id, regen: true })).toMatchObject({ text: '好了', end: '[DONE]' })
  })

  test('a model whose platform has no key is not available, an unknown one not found', async () => {
    const client = await world.user()
    expect((await expectCallError(client.ask('x', { model: 'absent' }))).body.code).toBe('model_unavailable')
    expect((await expectCallError(client.ask('x', { model: 'none' }))).body.code).toBe('model_not_found')
    expect(await getMessageLines(client)).toEqual([])
  })
})

describe('thinking', () => {
  const ask = async (client: Client, model: string, tools?: string[]) => {
    world.upstream.script(model, { text: '好' })
    const { chat_message } = await client.call('POST /api/chat/create', {
      body: { prompt: '想想', model, ...(tools ? { tools } : {}) },
    })
    await client.call('POST /api/chat/completions', { query: { chat_id: chat_message.chat_id } })
    return (world.upstream.requests.at(-1)!.body as { reasoning_effort?: string }).reasoning_effort
  }

  test('is switched on and off by a tool, where the model can be switched', async () => {
    const client = await world.user()
    expect(await ask(client, 'thinker', ['thinking'])).toBe('medium')
    expect(await ask(client, 'thinker', [])).toBe('none')
    expect(await ask(client, 'limited', ['thinking'])).toBeUndefined()
    expect(await ask(client, 'scripted-paid', ['thinking'])).toBeUndefined()
  })

  test('is told of every model that people may choose', async () => {
    const { models } = await world.visitor().call('GET /api/chat/models', {})
    const modes = Object.fromEntries(models.map(({ id, thinking }) => [id, thinking]))
    expect(modes).toMatchObject({ thinker: 'switch', limited: 'always', 'scripted-paid': null })
  })

  test('is kept with the question, so that it is answered again as it was asked', async () => {
    const client = await world.user()
    world.upstream.script('thinker', { text: '好' })
    const body = { prompt: '想想', model: 'thinker', tools: ['thinking'] }
    const { chat_message } = await client.call('POST /api/chat/create', { body })
    await client.call('POST /api/chat/completions', { query: { chat_id: chat_message.chat_id } })
    const again = await client.call('POST /api/chat/create', {
      body: { prompt: '', model: 'thinker', regen: true, chat_id: chat_message.chat_id },
    })
    await client.call('POST /api/chat/completions', { query: { chat_id: again.chat_message.chat_id } })
    expect(world.upstream.requests.at(-1)!.body).toMatchObject({ reasoning_effort: 'medium' })
  })
})
