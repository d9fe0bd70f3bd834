import { describe, expect, test } from 'vitest'
import { MODELS, useProviderWorld } from '../provider-world.ts'
import type { ProviderName } from '../provider-world.ts'
import { readError, useCaller } from '../caller.ts'

// Documents and sound in a prompt: each protocol's own fields in, each platform's own fields out.

const world = useProviderWorld()
const caller = useCaller(world)

const PDF = Buffer.from('%PDF-1.7 /Type /Page /Type /Page').toString('base64')
const SOUND = Buffer.alloc(64_000).toString('base64')
const TEXT = Buffer.from('半亩方塘一鉴开').toString('base64')

type Part = Record<string, unknown>
const PATHS = { chat: 'chat/completions', responses: 'responses', messages: 'messages' }
type Door = keyof typeof PATHS

/** Sends parts in a protocol to the model of a dialect. */
const send = (door: Door, model: string, ...content: Part[]) => {
  const messages = [{ role: 'user', content }]
  const body = door === 'responses' ? { input: messages } : { messages, max_tokens: 9 }
  return caller.post({ model, ...body }, { path: `/api/v1/${PATHS[door]}` })
}

/** Returns the parts of the question as the platform received them. */
async function getForwardedParts(door: Door, dialect: ProviderName, ...content: Part[]): Promise<unknown> {
  world.upstream.script(MODELS[dialect], { text: '好' })
  const response = await send(door, MODELS[dialect], ...content)
  expect(response.status, await response.clone().text()).toBe(200)
  const { messages, contents } = world.upstream.requests.at(-1)!.body as Record<string, Part[]>
  return messages ? messages.at(-1)!.content : contents!.at(-1)!.parts
}

const chatFile = (fileData: string, filename?: string) => ({
  type: 'file',
  file: { file_data: fileData, filename },
})
const PDF_IN: Record<Door, Part> = {
  chat: chatFile(`data:application/pdf;base64,${PDF}`, '观书.pdf'),
  responses: { type: 'input_file', filename: '观书.pdf', file_data: `data:application/pdf;base64,${PDF}` },
  messages: {
    type: 'document',
    title: '观书.pdf',
    source: { type: 'base64', media_type: 'application/pdf', data: PDF },
  },
}
const PDF_OUT: Record<ProviderName, Part> = {
  openai: {
    type: 'file',
    file: { filename: '观书.pdf', file_data: `data:application/pdf;base64,${PDF}` },
  },
  anthropic: {
    type: 'document',
    title: '观书.pdf',
    source: { type: 'base64', media_type: 'application/pdf', data: PDF },
  },
  gemini: { inlineData: { mimeType: 'application/pdf', data: PDF } },
}
const DOORS: Door[] = ['chat', 'responses', 'messages']
const DIALECTS: ProviderName[] = ['openai', 'anthropic', 'gemini']

describe('a PDF', () => {
  test.each(DOORS.flatMap((door) => DIALECTS.map((dialect) => [door, dialect] as const)))(
    'goes from %s to a platform of dialect %s',
    async (door, dialect) => {
      expect(await getForwardedParts(door, dialect, PDF_IN[door])).toEqual([PDF_OUT[dialect]])
    },
  )

  test('may be named by its URL, which the platform fetches', async () => {
    const url = 'https://example.com/a.pdf'
    const asked = { type: 'input_file', file_url: url }
    expect(await getForwardedParts('responses', 'anthropic', asked)).toEqual([
      { type: 'document', source: { type: 'url', url } },
    ])
    expect(await getForwardedParts('responses', 'gemini', asked)).toEqual([
      { fileData: { fileUri: url, mimeType: 'application/pdf' } },
    ])
  })

  test('counts for the estimate by its pages', async () => {
    const count = async (...content: Part[]): Promise<number> => {
      const body = { model: MODELS.anthropic, messages: [{ role: 'user', content }] }
      const response = await caller.post(body, { path: '/v1/messages/count_tokens' })
      return ((await response.json()) as { input_tokens: number }).input_tokens
    }
    const text = { type: 'text', text: '？' }
    expect((await count(PDF_IN.messages, text)) - (await count(text))).toBe(6_000)
  })
})

describe('a text document', () => {
  const TEXT_IN: Record<Door, Part> = {
    chat: chatFile(`data:text/plain;base64,${TEXT}`, '诗.txt'),
    responses: { type: 'input_file', filename: '诗.txt', file_data: `data:text/markdown;base64,${TEXT}` },
    messages: {
      type: 'document',
      title: '诗.txt',
      source: { type: 'text', media_type: 'text/plain', data: '半亩方塘一鉴开' },
    },
  }
  const asText = '<document name="诗.txt">\n半亩方塘一鉴开\n</document>'

  test.each(DOORS)('in %s is given to every model as text', async (door) => {
    world.upstream.script('plain', { text: '好' })
    expect((await send(door, 'plain', TEXT_IN[door])).status).toBe(200)
    expect(world.upstream.requests.at(-1)!.body).toMatchObject({
      messages: [{ role: 'user', content: asText }],
    })
  })

  test('goes from Anthropic to Anthropic as it is', async () => {
    expect(await getForwardedParts('messages', 'anthropic', TEXT_IN.messages)).toEqual([TEXT_IN.messages])
  })
})

describe('sound', () => {
  const sound = { type: 'input_audio', input_audio: { data: SOUND, format: 'wav' } }

  test.each(['chat', 'responses'] as const)('goes from %s to platforms that take it', async (door) => {
    expect(await getForwardedParts(door, 'openai', sound)).toEqual([sound])
    expect(await getForwardedParts(door, 'gemini', sound)).toEqual([
      { inlineData: { mimeType: 'audio/wav', data: SOUND } },
    ])
  })
})

describe('an image that a tool returned', () => {
  const data = 'iVBORw0KGgo='
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
  const uses = ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'look', input: {} }))
  const results = ['a', 'b'].map((toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: [{ type: 'text', text: '见图' }, image],
  }))
  const messages = [
    { role: 'user', content: '看' },
    { role: 'assistant', content: uses },
    { role: 'user', content: results },
  ]

  test.each([
    [
      'openai',
      [
        { role: 'tool', tool_call_id: 'a', content: '见图' },
        { role: 'tool', tool_call_id: 'b', content: '见图' },
        {
          role: 'user',
          content: ['a', 'b'].map(() => ({
            type: 'image_url',
            image_url: { url: `data:image/png;base64,${data}` },
          })),
        },
      ],
    ],
    [
      'gemini',
      [
        {
          role: 'user',
          parts: ['a', 'b'].flatMap(() => [
            { functionResponse: { name: 'look', response: { result: '见图' } } },
            { inlineData: { mimeType: 'image/png', data } },
          ]),
        },
      ],
    ],
  ] as const)('reaches a platform of dialect %s beside its result', async (dialect, forwarded) => {
    world.upstream.script(MODELS[dialect], { text: '好' })
    const response = await caller.post(
      { model: MODELS[dialect], messages, max_tokens: 9 },
      { path: '/v1/messages' },
    )
    expect(response.status).toBe(200)
    const body = world.upstream.requests.at(-1)!.body as Record<string, Part[]>
    expect((body.messages ?? body.contents)!.slice(2)).toEqual(forwarded)
  })
})

describe('what a model does not take', () => {
  const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }

  test.each([
    ['an image', image, '图片', MODELS.gemini],
    ['a PDF', PDF_IN.chat, 'PDF', MODELS.anthropic],
    ['sound', { type: 'input_audio', input_audio: { data: SOUND, format: 'wav' } }, '音频', MODELS.openai],
  ])('%s is a 400 that names models which do, before a platform is asked', async (_, part, name, able) => {
    const before = world.upstream.requests.length
    const error = await readError(await send('chat', 'plain', part))
    expect(error).toMatchObject({ status: 400, code: 'content_unsupported', param: 'model' })
    expect(error.message).toContain(name)
    expect(error.message).toContain(able)
    expect(world.upstream.requests).toHaveLength(before)
  })

  test('models of dialects that have no place for sound are not named for it', async () => {
    const sound = { type: 'input_audio', input_audio: { data: SOUND, format: 'wav' } }
    const error = await readError(await send('chat', MODELS.anthropic, sound))
    expect(error).toMatchObject({ status: 400, code: 'content_unsupported' })
    expect(error.message.split('换用')[1]).not.toContain('claude')
  })
})

describe('a file that nobody reads', () => {
  test.each([
    ['an uploaded one', { type: 'file', file: { file_id: 'file-1' } }, 'file_id'],
    ['a program', chatFile('data:application/x-msdownload;base64,TVqQAAM='), 'PDF'],
    ['bytes that are no text', chatFile('data:text/plain;base64,/+AA'), 'UTF-8'],
  ])('%s is a 400 that says why', async (_, part, reason) => {
    const error = await readError(await send('chat', MODELS.openai, part))
    expect(error).toMatchObject({ status: 400, code: 'bad_request' })
    expect(error.message).toContain(reason)
  })
})

test('a cache mark on a part reaches platforms of Anthropic, and no other', async () => {
  const marked = { type: 'text', text: '一', cache_control: { type: 'ephemeral' } }
  const plain = { type: 'text', text: '二' }
  expect(await getForwardedParts('chat', 'anthropic', marked, plain)).toEqual([marked, plain])
  expect(await getForwardedParts('chat', 'openai', marked, plain)).toBe('一\n二')
})
