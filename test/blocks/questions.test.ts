import { beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#server/core/ids.ts'
import type { Block } from '#contract/blocks.ts'
import { upload, waitUntilRead } from '../files/upload.ts'
import type { TestFile } from '../files/upload.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()
let client: Client
let poem: Block
let book: Block

const add = async (file: TestFile): Promise<Block> =>
  waitUntilRead(client, (await upload(world, client, file)).id)
type Content = string | { type: string; text?: string; image_url?: { url: string } }[]
const getPrompt = (): { role: string; content: Content }[] =>
  (world.upstream.requests.at(-1)!.body as { messages: { role: string; content: Content }[] }).messages
const getAnswer = async (sess_id: string) =>
  (await client.call('GET /api/chat/messages', { query: { sess_id, size: 100 } })).messages.at(-1)!

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

    // Later questions are about it too, and so is the same one answered again.
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
    const broken = await add({ name: '坏.bin', content: Buffer.from([0, 1, 2, 255, 254, 0, 9]) })
    for (const [asker, body, code] of [
      [stranger, { prompt: '写了什么？', block: poem.id }, 'not_found'],
      [stranger, { prompt: '写了什么？', block: createId() }, 'not_found'],
      [stranger, { prompt: '写了什么？', chatbot: `block-${poem.id}` }, 'not_found'],
      [world.visitor(), { prompt: '写了什么？', block: poem.id }, 'not_found'],
      [client, { prompt: '写了什么？', block: `${poem.id},${createId()}` }, 'not_found'],
      [client, { prompt: '写了什么？', block: broken.id }, 'block_failed'],
      [client, { prompt: '写了什么？', chatbot: 'block-x' }, 'not_found'],
    ] as const) {
      const error = await expectCallError(asker.call('POST /api/chat/create', { body }))
      expect(error.body.code).toBe(code)
    }
    expect(world.upstream.requests).toHaveLength(asked)
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
})

describe('the channel of a document', () => {
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
