import { beforeAll, describe, expect, test } from 'vitest'
import { PNG, createSound, createVector } from '../../world/upstream/operations.ts'
import { useWorld } from '../../world/use-world.ts'
import { getNewestBill, createOperationCaller, createRecording } from './operation-caller.ts'
import type { OperationCaller } from './operation-caller.ts'

// Answers to OpenAI's own client, and the charges for them, to the micro-coin.

const world = useWorld()
let caller: OperationCaller
beforeAll(async () => {
  caller = await createOperationCaller(world)
})

const getLastRequest = () => world.upstream.requests.at(-1)!

type RerankAnswer = { id: string; model: string; results: unknown; usage: { billed_units: number } }
const getBilledUnits = async (answer: Response): Promise<number> =>
  ((await answer.json()) as { usage: { billed_units: number } }).usage.billed_units

describe('embeddings', () => {
  test('are made of as many tokens as OpenAI takes', async () => {
    const input = Array.from({ length: 1_000 }, (_, nth) => Array.from({ length: 300 }, () => nth))
    const { openai } = await createOperationCaller(world)
    const answer = await openai.embeddings.create({ model: 'scripted-embedding', input })
    expect(answer.data).toHaveLength(1_000)
    expect(world.upstream.requests.at(-1)!.body).toMatchObject({ input })
  })

  test('are decoded by the client, which asks for base64 by itself', async () => {
    const answer = await caller.openai.embeddings.create({
      model: 'scripted-embedding',
      input: ['源头', '活水来'],
    })
    expect(getLastRequest().body).toMatchObject({ encoding_format: 'base64' })
    expect(answer.data.map(({ embedding }) => embedding)).toEqual([
      createVector('源头'),
      createVector('活水来'),
    ])
    expect(answer.model).toBe('scripted-embedding')
    expect(answer.usage).toEqual({ prompt_tokens: 5, total_tokens: 5, billed_units: 5 })
    // 5 tokens at 100 coins a million.
    expect(await getNewestBill(world, caller)).toMatchObject({
      amount: '500',
      input_tokens: 5,
      units: 0,
      times: 1,
      usage_source: 'upstream',
    })
  })

  test.each(['float', 'base64'] as const)(
    'come as %s, whatever the platform knows',
    async (encodingFormat) => {
      const vector = createVector('源头')
      const base64 = Buffer.from(new Float32Array(vector).buffer).toString('base64')
      for (const embedding of [vector, base64]) {
        const data = [{ object: 'embedding', index: 0, embedding }]
        world.upstream.script('scripted-embedding', { answer: { data } })
        const answer = await caller.post('/v1/embeddings', {
          model: 'scripted-embedding',
          input: '源头',
          encoding_format: encodingFormat,
        })
        const wanted = encodingFormat === 'float' ? vector : base64
        expect(((await answer.json()) as { data: unknown }).data).toEqual([
          { object: 'embedding', index: 0, embedding: wanted },
        ])
      }
      world.upstream.script('scripted-embedding', {})
    },
  )

  test('of tokens and with documented fields are forwarded; ours and unknown ones are not', async () => {
    const answer = await caller.post('/api/v1/embeddings', {
      model: 'scripted-embedding',
      input: [
        [1, 2, 3],
        [4, 5],
      ],
      dimensions: 512,
      user: '我',
      truncate: 'END',
      api_base: 'http://evil.example',
      retries: 1,
      provider_sort: 'price',
    })
    expect(answer.status).toBe(200)
    expect(getLastRequest().body).toEqual({
      model: 'scripted-embedding',
      input: [
        [1, 2, 3],
        [4, 5],
      ],
      dimensions: 512,
      user: '我',
    })
    expect(getLastRequest().headers.authorization).toBe('Bearer sk-scripted')
  })

  test('are counted where the platform reports nothing, or nothing that can be true', async () => {
    const ask = () =>
      caller.post('/api/v1/embeddings', { model: 'scripted-embedding', input: '源头活水'.repeat(100) })
    world.upstream.script('scripted-embedding', { usage: null })
    expect(await getBilledUnits(await ask())).toBe(240)
    expect(await getNewestBill(world, caller)).toMatchObject({
      input_tokens: 240,
      usage_source: 'counted',
      flagged: null,
    })
    for (const promptTokens of [-1, 0, 1.5, 1e12, '12']) {
      world.upstream.script('scripted-embedding', { usage: { prompt_tokens: promptTokens } })
      expect(await getBilledUnits(await ask())).toBe(240)
      expect(await getNewestBill(world, caller)).toMatchObject({
        input_tokens: 240,
        usage_source: 'counted',
        flagged: JSON.stringify(promptTokens),
      })
    }
    world.upstream.script('scripted-embedding', {})
  })
})

describe('rerank', () => {
  const documents = ['短', '不长不短', { text: '这一篇最长，应当在前' }]

  test('puts documents in order', async () => {
    const answer = await caller.post('/api/v1/rerank', {
      model: 'scripted-rerank',
      query: '源头',
      documents,
      top_n: 2,
      return_documents: true,
    })
    const { id, model, results, usage } = (await answer.json()) as RerankAnswer
    expect(id).toBe(answer.headers.get('x-transaction-id'))
    expect(model).toBe('scripted-rerank')
    expect(results).toEqual([
      { index: 2, relevance_score: expect.any(Number), document: { text: '这一篇最长，应当在前' } },
      { index: 1, relevance_score: expect.any(Number), document: { text: '不长不短' } },
    ])
    // Each document counts with the query: 1 + 4 + 10 characters and three times 2.
    expect(usage).toMatchObject({ billed_units: 21 })
    expect(await getNewestBill(world, caller)).toMatchObject({ amount: '2100', input_tokens: 21 })
  })

  test.each(['/v2/rerank', '/api/v2/rerank', '/api/v1/v2/rerank'])(
    "is where Cohere's client asks: %s",
    async (path) => {
      const body = { model: 'scripted-rerank', query: '源头', documents: ['短', '不长不短'], top_n: 1 }
      const answer = await caller.post(path, body)
      expect(answer.status).toBe(200)
      const { results } = (await answer.json()) as RerankAnswer
      expect(results).toEqual([{ index: 1, relevance_score: expect.any(Number) }])
    },
  )

  test.each([
    [{ usage: null, meta: { tokens: { input_tokens: 17, output_tokens: 1 } } }, 17],
    [{ usage: null, tokens: { input_tokens: 9, output_tokens: 0 } }, 9],
  ])('believes what SiliconFlow reports: %j', async (answer, billed) => {
    world.upstream.script('scripted-rerank', { answer })
    await caller.post('/api/v1/rerank', { model: 'scripted-rerank', query: '源头', documents })
    expect(await getNewestBill(world, caller)).toMatchObject({
      input_tokens: billed,
      usage_source: 'upstream',
    })
    world.upstream.script('scripted-rerank', {})
  })
})

describe('images', () => {
  test('come as addresses or bytes; each one is paid', async () => {
    const { data, ...answer } = await caller.openai.images.generate({
      model: 'scripted-image',
      prompt: '半亩方塘',
      n: 2,
      size: '1024x1024',
    })
    expect(data?.map(({ url }) => url)).toEqual([
      'https://pictures.example/0.png',
      'https://pictures.example/1.png',
    ])
    expect(answer.usage).toEqual({ total_tokens: 0, input_tokens: 0, output_tokens: 0, billed_units: 2 })
    expect(getLastRequest().body).toMatchObject({ n: 2, size: '1024x1024' })
    const bill = await getNewestBill(world, caller)
    expect(bill).toMatchObject({ amount: '6000000', input_tokens: 0, units: 0, times: 2 })
    const transaction = await caller.user.call('GET /api/chat/transaction/{uuid}', {
      params: { uuid: bill!.run_id },
    })
    expect(transaction).toMatchObject({ amount: 6, tokens: 0, billed_units: 2, times: 2, event: 'gateway' })

    const bytes = await caller.openai.images.generate({
      model: 'scripted-image',
      prompt: '半亩方塘',
      response_format: 'b64_json',
    })
    expect(Buffer.from(bytes.data?.[0]?.b64_json ?? '', 'base64')).toEqual(PNG)
  })

  test('that nobody asked for are neither paid nor delivered', async () => {
    const data = Array.from({ length: 5 }, (_, nth) => ({ url: `https://x/${nth}` }))
    world.upstream.script('scripted-image', { answer: { data, images: data } })
    const body = { model: 'scripted-image', prompt: '?', n: 1 }
    const answer = await caller.post('/api/v1/images/generations', body)
    expect(await answer.json()).toMatchObject({
      data: [{ url: 'https://x/0' }],
      images: [{ url: 'https://x/0' }],
    })
    expect(await getNewestBill(world, caller)).toMatchObject({ amount: '3000000', times: 1 })
    world.upstream.script('scripted-image', {})
  })

  test('that did not come are not paid', async () => {
    world.upstream.script('scripted-image', { answer: { data: undefined, images: [{ url: 'https://x/1' }] } })
    const answer = await caller.post('/api/v1/images/generations', {
      model: 'scripted-image',
      prompt: '?',
      batch_size: 4,
    })
    expect(answer.status).toBe(200)
    expect(await getNewestBill(world, caller)).toMatchObject({ amount: '3000000', times: 1 })
    world.upstream.script('scripted-image', {})
  })
})

describe('speech', () => {
  test('comes as bytes, paid by characters', async () => {
    const input = '问渠那得清如许？𠮷'
    world.upstream.script('tts-cheap', { sound: 200_000 })
    const answer = await caller.openai.audio.speech.create({
      model: 'scripted-tts',
      voice: 'alloy',
      input,
      speed: 1.25,
    })
    expect(answer.headers.get('content-type')).toBe('audio/mpeg')
    expect(Buffer.from(await answer.arrayBuffer()).equals(createSound(input, 200_000))).toBe(true)
    expect(getLastRequest().body).toEqual({ model: 'tts-cheap', voice: 'alloy', input, speed: 1.25 })
    // 9 characters at 20,000 coins a million; the last of them is two UTF-16 units.
    const bill = await getNewestBill(world, caller)
    expect(bill).toMatchObject({ amount: '180000', input_tokens: 0, units: 9, times: 1 })
    expect(bill!.run_id).toBe(answer.headers.get('x-transaction-id'))
    const params = { uuid: bill!.run_id }
    expect(await caller.user.call('GET /api/chat/transaction/{uuid}', { params })).toMatchObject({
      tokens: 0,
      billed_units: 9,
    })
  })

  test('is streamed before it is whole', async () => {
    world.upstream.script('tts-cheap', { stall: 2 })
    const answer = await caller.openai.audio.speech.create({
      model: 'scripted-tts',
      voice: 'alloy',
      input: '慢慢说',
    })
    const reader = answer.body!.getReader()
    const first = await reader.read()
    expect(first.value?.length).toBeGreaterThan(0)
    world.upstream.release()
    let size = first.value!.length
    for (let next = await reader.read(); !next.done; next = await reader.read()) size += next.value.length
    expect(size).toBe(16_000)
  })
})

describe('transcriptions', () => {
  test('are paid by the length of the recording, and keep the fields of the form', async () => {
    const unknown = { api_base: 'http://evil.example' }
    const answer = await caller.openai.audio.transcriptions.create({
      model: 'scripted-asr',
      file: createRecording(2.5),
      language: 'zh',
      timestamp_granularities: ['word'],
      ...unknown,
    })
    expect(getLastRequest().body).not.toHaveProperty('api_base')
    expect(answer.text).toBe('问渠那得清如许')
    expect(answer.usage).toEqual({ type: 'duration', seconds: 3, billed_units: 2500 })
    expect(getLastRequest().body).toMatchObject({
      model: 'scripted-asr',
      language: 'zh',
      'timestamp_granularities[]': 'word',
      file: { name: '录音.wav', type: 'audio/wav', size: 40_044 },
    })
    // 2,500 ms at 100 coins a million.
    expect(await getNewestBill(world, caller)).toMatchObject({
      amount: '250000',
      units: 2500,
      usage_source: 'counted',
    })
  })

  test('of an MP3 without a header are measured frame by frame', async () => {
    // 64 and 128 kbit/s in turn, 1,152 samples of 44,100 a second each: no bit rate gives the length.
    const frame = (size: number, rate: number) => {
      const bytes = Buffer.alloc(size)
      bytes.set([0xff, 0xfb, rate, 0xc0])
      return bytes
    }
    const frames = Array.from({ length: 200 }, (_, nth) => (nth % 2 ? frame(208, 0x50) : frame(417, 0x90)))
    const file = new File([Buffer.concat(frames)], 'a.mp3', { type: 'audio/mpeg' })
    await caller.openai.audio.transcriptions.create({ model: 'scripted-asr', file })
    const { units } = (await getNewestBill(world, caller))!
    expect(Math.abs(units - (200 * 1152 * 1000) / 44_100)).toBeLessThan(60)
  })

  test('come in each format', async () => {
    const ask = <F extends 'text' | 'srt' | 'vtt' | 'verbose_json'>(responseFormat: F) =>
      caller.openai.audio.transcriptions.create({
        model: 'scripted-asr',
        file: createRecording(2.5),
        response_format: responseFormat,
      })
    expect(await ask('text')).toBe('问渠那得清如许\n')
    expect(await ask('srt')).toContain('00:00:02,500')
    const { segments } = await caller.openai.audio.transcriptions.create({
      model: 'scripted-asr',
      file: createRecording(2.5),
      response_format: 'verbose_json',
    })
    expect(segments).toMatchObject([{ text: '问渠那得清如许' }])
    expect(await getNewestBill(world, caller)).toMatchObject({ units: 2500, usage_source: 'upstream' })
    world.upstream.script('scripted-asr', { answer: { duration: '3600' } })
    await ask('verbose_json')
    expect(await getNewestBill(world, caller)).toMatchObject({
      units: 2500,
      usage_source: 'counted',
      flagged: '"3600"',
    })
    // A platform without plain text.
    world.upstream.script('scripted-asr', { json: true, text: '只会 JSON' })
    expect(await ask('text')).toBe('只会 JSON')
    world.upstream.script('scripted-asr', {})
  })
})

test.each([
  ['/v1/rerank', { model: 'scripted-rerank', query: '源头', documents: ['活水'] }],
  ['/v1/images/generations', { model: 'scripted-image', prompt: '半亩方塘', n: 1, size: '1024x1024' }],
  ['/v1/audio/speech', { model: 'tts-cheap', voice: 'alloy', input: '问' }],
])('%s hands on no field that its API does not document', async (path, known) => {
  const smuggled = { api_key: 'sk-other', base_url: 'http://evil', models: ['a'], route: 'b', sample_rate: 9 }
  const model = known.model === 'tts-cheap' ? 'scripted-tts' : known.model
  expect((await caller.post(path, { ...known, model, ...smuggled })).status).toBe(200)
  expect(getLastRequest().body).toEqual(known)
})

test('the calculator and the bill agree on what each costs', async () => {
  const total = async (model: string, usage: object) => {
    const { costs } = await caller.user.call('POST /api/token/costs', { body: { model, ...usage } })
    return costs[0]?.total
  }
  expect(await total('scripted-image', { times: 2 })).toBe(6)
  // An unknown size or quality of a picture counts as the dearest.
  expect(await total('scripted-drawing', { times: 2 })).toBe(20)
  expect(await total('scripted-tts', { input_tokens: 9 })).toBe(0.18)
  expect(await total('scripted-asr', { input_tokens: 2500 })).toBe(0.25)
  expect(await total('scripted-image', { type: 'image' })).toBe(3)
  await expect(total('scripted-image', { type: 'chat' })).rejects.toMatchObject({
    status: 422,
    body: { errors: { type: '与模型的类型不符' } },
  })
})

test('the calculator’s yuan are exact', async () => {
  for (let inputTokens = 1; inputTokens <= 200; inputTokens++) {
    const body = { model: 'scripted-tts', input_tokens: inputTokens }
    const { costs } = await caller.user.call('POST /api/token/costs', { body })
    // 0.02 coins a character.
    expect(costs[0]!.yuan).toBe(Number(`${inputTokens * 2}e-4`))
  }
})

test('models are listed with what they are priced by', async () => {
  const { data } = (await caller.openai.models.list()) as unknown as {
    data: { id: string; type: string; status: string; pricing: object }[]
  }
  const of = (name: string) => data.find(({ id }) => id === name)
  expect(of('scripted-image')).toMatchObject({
    type: 'image',
    status: 'available',
    pricing: { unit: 'picture', input: 0, output: 0, per_call: 3 },
  })
  expect(of('scripted-painting')?.pricing).toMatchObject({ unit: 'token', input: 100, output: 1000 })
  expect(of('scripted-tts')?.pricing).toMatchObject({ unit: 'character', input: 20_000 })
  expect(of('scripted-asr')?.pricing).toMatchObject({ unit: 'millisecond', input: 100 })
})
