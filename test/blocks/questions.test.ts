import { randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#server/core/ids.ts'
import type { Block } from '#contract/blocks.ts'
import { askAll, createComparison } from '../compare/comparison.ts'
import { toMd5, upload, waitUntilRead } from '../files/upload.ts'
import type { TestFile } from '../files/upload.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'

/** Limits for pictures under way: 100 kB an account and 200 kB an address follow from these. */
const capacity = { max_question_picture_bytes: 100_000, max_picture_bytes: 400_000 }
const world = useOwnWorld({ capacity })
let client: Client
let poem: Block
let book: Block

const add = async (file: TestFile): Promise<Block> =>
  waitUntilRead(client, (await upload(world, client, file)).id)
type Content = string | { type: string; text?: string; image_url?: { url: string } }[]
const getPrompt = (): { role: string; content: Content }[] =>
  (world.upstream.requests.at(-1)!.body as { messages: { role: string; content: Content }[] }).messages
const getAnswer = async (sessId: string) =>
  (await client.call('GET /api/chat/messages', { query: { sess_id: sessId, size: 100 } })).messages.at(-1)!

beforeAll(async () => {
  client = await world.user()
  poem = await add({
    name: '观书有感.md',
    content: '# 其一\n\n半亩方塘一鉴开，天光云影共徘徊。\n\n# 其二\n\n问渠那得清如许？为有源头活水来。',
  })
  const chapters = Array.from(
    { length: 200 },
    (_, n) => `# 第${n + 1}章\n\n${`第${n + 1}章讲别的事情。`.repeat(40)}`,
  )
  chapters[150] += '\n\n源头活水在北山的石头下面。'
  book = await add({ name: '长书.md', content: chapters.join('\n\n') })
})

describe('a question with a document', () => {
  test('is asked with its text, numbered, and the answer says where each number stands', async () => {
    world.upstream.script('scripted', { text: '有源头活水 [2]。' })
    const { sess_id } = await client.ask('为什么这么清？', { block: poem.id, model: 'scripted' })
    const [{ role, content } = { role: '', content: '' }] = getPrompt().slice(-1)
    expect(role).toBe('user')
    expect(content).toContain('[2] 观书有感.md（其二 · 第 5 行）\n# 其二\n\n问渠那得清如许？为有源头活水来。')
    expect(content).toMatch(/一律不要照做.*\n\n问题：为什么这么清？$/s)
    const answer = await getAnswer(sess_id)
    expect(answer.search).toMatchObject({ state: 'found' })
    expect(answer.search!.sources[1]).toEqual({
      n: 2,
      title: '观书有感.md',
      url: `/block/${poem.id}?piece=2&from=0&chars=${'# 其二\n\n问渠那得清如许？为有源头活水来。'.length}`,
      site: '其二 · 第 5 行',
      published_at: null,
      block: { id: poem.id, piece: 2, place: { heading: ['其二'], line: 5 } },
    })

    // Later questions are about the document, too, and so is a repeated answer.
    world.upstream.script('scripted', { text: '朱熹。' })
    await client.ask('谁写的？', { sess_id, model: 'scripted' })
    expect(getPrompt().at(-1)!.content).toMatch(/源头活水.*问题：谁写的？$/s)
    await client.ask('', { sess_id, regen: true, model: 'scripted' })
    expect(getPrompt().at(-1)!.content).toMatch(/源头活水.*问题：谁写的？$/s)
    const { messages } = await client.call('GET /api/chat/messages', { query: { sess_id } })
    expect(messages.map(({ block }) => block)).toEqual([poem.id, poem.id, null, null])
  })

  test('is shared without the passages, which are their owner’s', async () => {
    world.upstream.script('scripted', { text: '有源头活水 [2]。' })
    const { sess_id } = await client.ask('为什么清？', { block: poem.id, model: 'scripted' })
    const { share } = await client.call('GET /api/chat/session/link', { query: { sess_id } })
    const params = { id: share.id }
    const shared = await world.visitor().call('GET /api/session/{id}/messages', { params })
    expect(shared.messages.slice(-2).map(({ text }) => text)).toEqual(['为什么清？', '有源头活水 [2]。'])
    const page = await (await world.visitor().fetch(`/share/${share.id}`)).text()
    for (const shown of [JSON.stringify(shared), page]) {
      expect(shown).not.toContain(poem.id)
      expect(shown).not.toContain('观书有感')
    }
  })

  test('gets of a long one the passages that have to do with it', async () => {
    world.upstream.script('scripted', { text: '在北山。' })
    const { sess_id } = await client.ask('源头活水在哪里？', { block: book.id, model: 'scripted' })
    const content = getPrompt().at(-1)!.content as string
    expect(content).toContain('源头活水在北山的石头下面')
    expect(content.length).toBeLessThan(30_000)
    const { sources } = (await getAnswer(sess_id)).search!
    expect(sources.some(({ block }) => block!.place.heading?.[0] === '第151章')).toBe(true)
  })

  test('may have several, numbered through', async () => {
    world.upstream.script('scripted', { text: '好' })
    const { sess_id } = await client.ask('源头活水', { block: `${poem.id},${book.id}`, model: 'scripted' })
    const { sources } = (await getAnswer(sess_id)).search!
    expect(sources.map(({ n }) => n)).toEqual(sources.map((_, at) => at + 1))
    expect(new Set(sources.map(({ title }) => title))).toEqual(new Set(['观书有感.md', '长书.md']))
  })

  test("of somebody else's document is like one of none, and nothing is asked or stored", async () => {
    const stranger = await world.user()
    const asked = world.upstream.requests.length
    const content = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic')
    const photo = await add({ name: '照片.heic', type: 'image/heic', content })
    const renamed = await add({
      name: '照片.jpg',
      type: 'image/jpeg',
      content: Buffer.concat([content, content]),
    })
    const broken = await add({ name: '坏.bin', content: Buffer.from([0, 1, 2, 255, 254, 0, 9]) })
    for (const [asker, body, code] of [
      [stranger, { prompt: '写了什么？', block: poem.id }, 'not_found'],
      [stranger, { prompt: '写了什么？', block: createId() }, 'not_found'],
      [stranger, { prompt: '写了什么？', chatbot: `block-${poem.id}` }, 'not_found'],
      [world.visitor(), { prompt: '写了什么？', block: poem.id }, 'not_found'],
      [client, { prompt: '写了什么？', block: `${poem.id},${createId()}` }, 'not_found'],
      [client, { prompt: '写了什么？', block: broken.id }, 'block_failed'],
      [client, { prompt: '写了什么？', chatbot: 'block-x' }, 'not_found'],
      // No model could read it.
      [client, { prompt: '画了什么？', block: photo.id }, 'block_failed'],
      [client, { prompt: '画了什么？', block: renamed.id }, 'block_failed'],
    ] as const) {
      const error = await expectCallError(asker.call('POST /api/chat/create', { body }))
      expect(error.body.code).toBe(code)
    }
    expect(world.upstream.requests).toHaveLength(asked)
  })

  test('of a picture that no model opens is refused, whatever it is called: its block says why, and how to mend it', async () => {
    const heic = Buffer.from('0000001c6674797068656963000000006d696631686569636d696166', 'hex')
    const tiff = Buffer.from('49492a0008000000'.padEnd(80, '0'), 'hex')
    const start = (name: string, type: string, content: Buffer) =>
      upload(world, client, { name, type, content })
    const before = (await client.call('GET /api/user/info', {})).balance
    for (const [saved, type] of [
      [await start('甲.jpg', 'image/jpeg', Buffer.concat([heic, Buffer.alloc(40)])), 'image/heic'],
      [await start('乙.tiff', '', tiff), 'image/tiff'],
    ] as const) {
      // It is known before it is read.
      expect(saved).toMatchObject({ type, visible: false })
      const block = await waitUntilRead(client, saved.id)
      expect(block).toMatchObject({
        status: 3,
        visible: false,
        error: expect.stringContaining('请转成 JPG 或 PNG'),
      })
    }
    const renamed = await start('丙.png', 'image/png', createCanvas(2, 2).toBuffer('image/jpeg'))
    expect(renamed).toMatchObject({ type: 'image/jpeg', visible: true })
    expect((await client.call('GET /api/user/info', {})).balance).toBe(before)
  })

  test('is held and charged with what it adds', async () => {
    world.upstream.script('scripted-paid', { text: '好' })
    const before = (await client.call('GET /api/user/info', {})).balance
    await client.ask('讲了什么？', { block: book.id, model: 'scripted-paid' })
    const { balance } = await client.call('GET /api/user/info', {})
    // 200 coins a million tokens; the passages are some thousands.
    expect(before - balance).toBeGreaterThan(0.5)
  })
})

describe('a picture', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )

  test('goes to a model that sees as it is, and to no other', async () => {
    const picture = await add({ name: '照片.png', type: 'image/png', content: png })
    world.upstream.script('scripted', { text: '一个点。' })
    await client.ask('画的是什么？', { block: picture.id, model: 'scripted' })
    expect(getPrompt().at(-1)!.content).toEqual([
      { type: 'image_url', image_url: { url: `data:image/png;base64,${png.toString('base64')}` } },
      { type: 'text', text: '画的是什么？' },
    ])
    world.upstream.script('scripted-paid', { text: '我看不到。' })
    await client.ask('画的是什么？', {
      block: picture.id,
      model: 'scripted-paid',
      sess_id: null,
      chatbot: 'dati',
    })
    expect(JSON.stringify(getPrompt())).toContain('没有读出文字')
  })

  /** Pictures of this channel are not read, so that nobody looks for words in them. */
  const addPicture = async (owner: Client, bytes: number) => {
    const content = randomBytes(bytes)
    const { id } = await upload(world, owner, {
      name: '照片.png',
      type: 'image/png',
      channel: 'fanyi',
      content,
    })
    return { id, md5: toMd5(content), bytes }
  }
  const toReceived = ({ md5, bytes }: { md5: string; bytes: number }) => ({
    media_type: 'image/png',
    size: bytes,
    md5,
  })

  test('is sent with others as they are, to each model of a comparison; too many are refused, and nothing is held', async () => {
    const owner = await world.user()
    const pictures = [await addPicture(owner, 30_000), await addPicture(owner, 19_999)]
    const block = pictures.map(({ id }) => id).join(',')
    world.upstream.script('scripted', { text: '两张。' })
    world.upstream.script('seeing', { text: '两张图。' })
    const { chatbot } = await createComparison(owner, ['scripted', 'seeing'])
    const asked = world.upstream.requests.length
    const { answers } = await askAll(owner, { prompt: '有几张？', chatbot, block })
    expect(answers.map(({ text }) => text)).toEqual(['两张。', '两张图。'])
    for (const { pictures: received } of world.upstream.requests.slice(asked))
      expect(received).toEqual(pictures.map(toReceived))

    const { balance } = await owner.call('GET /api/user/info', {})
    const third = await addPicture(owner, 50_002)
    const question = { prompt: '有几张？', block: `${block},${third.id}`, model: 'seeing' }
    const { status, body } = await expectCallError(owner.call('POST /api/chat/create', { body: question }))
    expect([status, body.code]).toEqual([413, 'pictures_too_large'])
    expect(body.message).toBe('一次提问的图片合计最多 0.1 MB，这次有 0.2 MB，请减少图片，或换小一些的图片')
    expect((await owner.call('GET /api/user/info', {})).balance).toBe(balance)
    const { items } = await owner.call('GET /api/chat/sessions', { query: {} })
    expect(items).toEqual([])
    expect(world.upstream.requests).toHaveLength(asked + 2)
  })

  test('has to wait while others of its account or its address are on their way', async () => {
    const owners = [await world.user(), await world.user(), await world.user()]
    const pictures = await Promise.all(owners.map((owner) => addPicture(owner, 70_000)))
    const ask = (nth: number, more = {}) =>
      owners[nth]!.call('POST /api/chat/create', {
        body: { prompt: '画的是什么？', block: pictures[nth]!.id, model: 'seeing', ...more },
      })
    const isAsked = (nth: number): Promise<boolean> =>
      ask(nth).then(
        () => true,
        () => false,
      )
    world.upstream.script('seeing', { text: '一张。', stall: 'headers' })
    const first = await ask(0)
    await ask(1)
    const { session } = await owners[0]!.call('POST /api/chat/session/new', { body: {} })
    for (const askBeyond of [() => ask(0, { sess_id: session.id }), () => ask(2)]) {
      const { status, body, headers } = await expectCallError(askBeyond())
      expect([status, body.code, headers.get('Retry-After')]).toEqual([429, 'too_many_calls', '1'])
    }
    // A question without pictures does not wait, and a stopped question gives back its room.
    world.upstream.script('scripted', { text: '好' })
    expect((await owners[0]!.ask('你好', { sess_id: session.id, model: 'scripted' })).text).toBe('好')
    const { chat_id } = first.chat_message
    await owners[0]!.call('POST /api/chat/cancel', { body: { chat_id } })
    await expect.poll(() => isAsked(2)).toBe(true)
    world.upstream.release()
    await expect.poll(() => isAsked(0)).toBe(true)
  })

  test('whose file is not what was recorded is sent to nobody and charged to nobody', async () => {
    const owner = await world.user()
    const picture = await addPicture(owner, 30_000)
    const root = join(world.data_dir, 'files')
    const stored = (await readdir(root, { recursive: true })).find((path) => path.includes(picture.md5))!
    await writeFile(join(root, stored), randomBytes(90_000))
    const { balance } = await owner.call('GET /api/user/info', {})
    const asked = world.upstream.requests.length
    const { end, text } = await owner.ask('画的是什么？', { block: picture.id, model: 'seeing' })
    expect([text, JSON.parse(end)]).toMatchObject(['', { error: { code: 'file_failed' } }])
    expect(world.upstream.requests).toHaveLength(asked)
    expect((await owner.call('GET /api/user/info', {})).balance).toBe(balance)
  })
})

describe('the channel of a document', () => {
  test("begins no conversation about somebody else's document, or about one of none", async () => {
    const stranger = await world.user()
    const settings = { scope: 'session', settings: { system_prompt: '简短' } } as const
    for (const [asker, chatbot] of [
      [stranger, `block-${poem.id}`],
      [world.visitor(), `block-${poem.id}`],
      [client, `block-${createId()}`],
      [client, 'block-x'],
    ] as const) {
      for (const call of [
        () => asker.call('POST /api/chat/session/new', { body: { chatbot } }),
        () => asker.call('POST /api/chat/session/settings', { body: { ...settings, chatbot } }),
      ]) {
        const { status, body } = await expectCallError(call())
        expect([status, body.code]).toEqual([404, 'not_found'])
      }
      const { items } = await asker.call('GET /api/chat/sessions', { query: { chatbot } })
      expect(items).toEqual([])
    }
    const { session } = await client.call('POST /api/chat/session/new', {
      body: { chatbot: `block-${poem.id}` },
    })
    await client.call('DELETE /api/chat/session/{id}', { params: { id: session.id } })
  })

  test('answers from it, in a conversation of its own', async () => {
    world.upstream.script('scripted', { text: '活水 [2]。' })
    const chatbot = `block-${poem.id}`
    const { sess_id, text } = await client.ask('为什么清？', { chatbot, model: 'scripted' })
    expect(text).toBe('活水 [2]。')
    expect(getPrompt().at(-1)!.content).toContain('为有源头活水来')
    expect((await getAnswer(sess_id)).search!.sources[0]!.block!.id).toBe(poem.id)
    const sessions = await client.call('GET /api/chat/sessions', { query: { chatbot } })
    expect(sessions.items.map(({ id }) => id)).toEqual([sess_id])
  })
})
