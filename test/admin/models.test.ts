import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AdminError } from '#server/admin/admin-error.ts'
import { executeModelsCommand } from '#server/admin/models/models.ts'
import { getEntry, getOffer, gpt, gptEntry, models, priceMap, startMapServer } from './price-map.ts'
import type { MapServer } from './price-map.ts'

let maps: MapServer
let url: string
let folder: string
let file: string
beforeAll(async () => {
  maps = await startMapServer()
  url = maps.url
})
afterAll(() => maps.close())

beforeEach(async () => {
  maps.asked = []
  maps.pages = { '/map.json': JSON.stringify(priceMap(), null, 2) }
  folder = await mkdtemp(join(tmpdir(), 'wenqu-models-'))
  file = join(folder, 'models.json')
  await writeFile(file, `${JSON.stringify(models(url), null, 2)}\n`)
  return () => rm(folder, { recursive: true })
})

const keys = { OPENAI_KEY: 'sk-openai', ANTHROPIC_KEY: 'sk-anthropic' }

/** What `npm run admin -- models <words>` prints. */
async function admin(...words: string[]): Promise<{ code: number; output: string }> {
  try {
    return { code: 0, output: await executeModelsCommand({ words, file, env: keys }) }
  } catch (error) {
    if (error instanceof AdminError) return { code: 1, output: error.message }
    throw error
  }
}

/** The same through the command itself: beside no server, and without a database. */
async function runAdmin(...words: string[]): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env['PATH'], MODELS_FILE: file, DATA_DIR: join(folder, 'data'), ...keys }
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/admin.ts', 'models', ...words], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr })
    })
  })
}

const setMap = (changes: Record<string, object>) => {
  maps.pages['/map.json'] = JSON.stringify({ ...priceMap(), ...changes }, null, 2)
}
const listFiles = async () => (await readdir(folder)).filter((name) => name !== 'data').toSorted()

describe('npm run admin -- models check', () => {
  test('prints what is dearer, cheaper, new, retired, different and unchecked, and writes nothing', async () => {
    const text = await readFile(file, 'utf8')
    setMap({
      'gpt-9': getEntry('openai', {
        ...gptEntry,
        input_cost_per_token: 1e-6,
        output_cost_per_token_above_272k_tokens: 1.8e-5,
        max_input_tokens: 2_000_000,
        supports_vision: true,
        supports_reasoning: false,
      }),
      'zai/glm-9': getEntry('zai', { input_cost_per_token: 2e-6, output_cost_per_token: 4e-6 }),
      'gone-1': getEntry('openai', { deprecation_date: '2026-02-01', input_cost_per_token: 1e-6 }),
      'gpt-10': getEntry('openai', { input_cost_per_token: 3e-6, output_cost_per_token: 9e-6 }),
      'gpt-10-2026-10-01': getEntry('openai', { input_cost_per_token: 3e-6, output_cost_per_token: 9e-6 }),
      'xai/grok-10': getEntry('xai', {
        off_peak_pricing: { windows: [] },
        input_cost_per_token: 3e-6,
        output_cost_per_token: 9e-6,
      }),
    })
    const { code, output } = await admin('check', `${url.replace('127.0.0.1', 'localhost')}/moved`)
    expect(code).toBe(0)
    const rows = output.split('\n').map((row) => row.trim().replace(/ {2,}/g, ' | '))
    const dearer = rows.indexOf('openai/gpt-9 | output >272000 | 15 → 18 USD | +20.0%')
    expect(dearer).toBeGreaterThan(0)
    expect(rows.indexOf('openai/gpt-9 | input | 2 → 1 USD | −50.0%')).toBe(dearer + 1)
    expect(rows).toContain('zhipu/glm-9 | input 7 → 14 (+100.0%)')
    expect(rows).toContain('openai/gone-1 | retired 2026-02-01 | gone-1')
    expect(rows).toContain('openai/gpt-9 | context_window 1000000 → 2000000, −reasoning, +vision')
    expect(rows).toContain('openai/gpt-10 | chat | 3 / 9 USD')
    // A platform without a key.
    expect(rows).toContain('xai | 1 models')
    expect(output).not.toContain('gpt-10-2026-10-01')
    expect(rows).toContain('grok-9: the price of pictures')
    expect(rows).toContain('anthropic')
    expect(await listFiles()).toEqual(['models.json'])
    expect(await readFile(file, 'utf8')).toBe(text)
    const command = await runAdmin('check', `${url}/nowhere.json`)
    expect(command).toEqual({ code: 1, output: `${url}/nowhere.json: status 404\n` })
  })

  test('finds nothing to tell where the map says what the file says', async () => {
    const { output } = await admin('check', `${url}/map.json`)
    expect(output).not.toMatch(/→|−|retired|new at/)
    expect(output).toContain('compared 4 offers')
  })

  test("reads models.dev's form, with tiers of the input", async () => {
    const model = {
      modalities: { input: ['text', 'image'], output: ['text'] },
      reasoning: true,
      tool_call: true,
    }
    maps.pages['/api.json'] = JSON.stringify({
      openai: {
        models: {
          'gpt-9': {
            ...model,
            limit: { context: 1_000_000, output: 100_000 },
            cost: {
              input: 2,
              output: 10,
              cache_read: 0.25,
              context_over_200k: { input: 9, output: 9 },
              tiers: [{ input: 4, output: 30, cache_read: 0.4, tier: { type: 'context', size: 272_000 } }],
            },
          },
          'gone-1': { ...model, status: 'deprecated', last_updated: '2026-03-01' },
        },
      },
      xai: {
        models: {
          'grok-9': { ...model, cost: { input: 2, output: 6, context_over_200k: { input: 5, output: 12 } } },
        },
      },
    })
    const { output } = await admin('check', `${url}/api.json`)
    const rows = output.split('\n').map((row) => row.trim().replace(/ {2,}/g, ' | '))
    expect(rows).toContain('openai/gpt-9 | output >272000 | 15 → 30 USD | +100.0%')
    expect(rows).toContain('openai/gpt-9 | cached_input | 0.2 → 0.25 USD | +25.0%')
    expect(rows).toContain('openai/gpt-9 | +vision')
    expect(rows).toContain('xai/grok-9 | input >200000 | 4 → 5 USD | +25.0%')
    expect(rows).toContain('xai/grok-9 | tiers above 200000; ours: 199999')
    expect(rows).toContain('openai/gone-1 | retired 2026-03-01 | gone-1')
  })

  test('asks a platform for its own list with its own key, which goes nowhere else', async () => {
    maps.pages['/v1/models'] = JSON.stringify({ data: [{ id: 'claude-9' }] })
    const list = await admin('check', `${url}/v1/models`)
    expect(list.output).toContain('anthropic/claude-9')
    expect(maps.asked).toEqual([{ path: '/v1/models', authorization: undefined, api_key: 'sk-anthropic' }])

    const saved = join(folder, 'list.json')
    await writeFile(
      saved,
      JSON.stringify({ data: [{ id: 'gpt-9', pricing: { prompt: '0.000003', completion: '0.00001' } }] }),
    )
    const unnamed = await admin('check', saved)
    expect([unnamed.code, unnamed.output]).toEqual([1, expect.stringContaining('--platform <name>')])
    const named = await admin('check', saved, '--platform', 'openai')
    expect(named.output).toMatch(/openai\/gpt-9 +input +2 → 3 USD +\+50\.0%/)
    expect(named.output).toMatch(/not in the map.*\n +openai +gone-1/)
  })

  const broken = (price: unknown) =>
    JSON.stringify({ ...priceMap(), 'gpt-9': getEntry('openai', { input_cost_per_token: price }) }, null, 2)
  test.each([
    ['{\n  "gpt-9": {\n    "mode": chat\n  }\n}', 'line 3'],
    [broken('2e-6'), 'line 10: gpt-9.input_cost_per_token: a price must be a number from 0, not "2e-6"'],
    [broken(-1), 'gpt-9.input_cost_per_token'],
    [broken(2), '2 dollars cannot be true: another unit?'],
    [JSON.stringify({ ...priceMap(), 'gpt-8': 3 }), 'gpt-8: no litellm_provider'],
    [
      '{"openai": {"models": {"gpt-9": {"modalities": {"output": ["text"]}, "cost": {"input": 1}}}}}',
      'openai.models.gpt-9.cost',
    ],
    ['{"data": [{"id": "a"}, {}]}', 'line 1: data.1: must be an object with an id'],
    ['{"data": [], "has_more": true}', 'first page'],
    ['{"gpt-9": {"litellm_provider": "elsewhere"}}', 'no model of any platform'],
    ['[]', "neither LiteLLM's price map"],
    ['', 'line 1'],
  ])('refuses a bad map with its place and reason: %j', async (map, reason) => {
    const saved = join(folder, 'map.json')
    await writeFile(saved, map)
    const words = map.includes('"data"') ? ['--platform', 'openai'] : []
    const { code, output } = await admin('check', saved, ...words)
    expect([code, output]).toEqual([1, expect.stringContaining(reason)])
    expect(output.trim().split('\n')).toHaveLength(1)
  })

  test.each([
    [[], 'usage: npm run admin -- models check'],
    [['check', 'a', 'b'], 'usage'],
    [['check', '--yes'], 'usage'],
    [['add'], 'usage'],
    [['check', '/nowhere.json'], '/nowhere.json: ENOENT'],
    [['check', 'http://127.0.0.1:1/'], 'bad port'],
    [['apply', 'zhipu/glm-9', '/map.json'], 'no offer in dollars of this name'],
  ])('refuses %j in words', async (words, reason) => {
    const { code, output } = await admin(...words.map((word) => (word === '/map.json' ? url + word : word)))
    expect([code, output]).toEqual([1, expect.stringContaining(reason)])
  })
})

describe('npm run admin -- models apply', () => {
  test('changes no byte where nothing changed', async () => {
    const text = await readFile(file, 'utf8')
    const { code, output } = await admin('apply', '--yes', `${url}/map.json`)
    expect([code, output]).toEqual([0, expect.stringContaining('nothing to change')])
    expect(await readFile(file, 'utf8')).toBe(text)
    expect(await listFiles()).toEqual(['models.json'])
  })

  test('shows the difference first, and with --yes writes the prices in dollars and nothing else', async () => {
    const link = join(folder, 'link.json')
    await symlink(file, link)
    const real = file
    const text = await readFile(real, 'utf8')
    setMap({
      'gpt-9': getEntry('openai', {
        ...gptEntry,
        input_cost_per_token: 3e-6,
        input_cost_per_token_above_272k_tokens: 6e-6,
        cache_creation_input_token_cost: 3.5e-6,
        source: 'https://openai.test/pricing',
      }),
      'xai/grok-9': getEntry('xai', {
        input_cost_per_token: 2e-6,
        output_cost_per_token: 6e-6,
        input_cost_per_token_above_128k_tokens: 8e-6,
      }),
      'zai/glm-9': getEntry('zai', { input_cost_per_token: 9e-6, output_cost_per_token: 4e-6 }),
    })
    const shown = await admin('apply', `${url}/map.json`)
    expect(shown.output).toMatch(/openai\/gpt-9 +input +2 → 3 USD +\+50\.0%/)
    expect(shown.output).toContain('add --yes')
    expect(await readFile(real, 'utf8')).toBe(text)

    file = link
    const { code, output } = await runAdmin('apply', 'openai/gpt-9', `${url}/map.json`, '--yes')
    expect([code, output]).toEqual([0, expect.stringContaining('.bak')])
    const today = new Date().toISOString().slice(0, 10)
    const written = await readFile(real, 'utf8')
    expect(written).toBe(
      text
        .replace(
          '"input": 2,\n          "output": 10,',
          '"input": 3,\n          "output": 10,\n          "cache_write": 3.5,',
        )
        .replace('"input": 4,', '"input": 6,')
        .replace('"by hand"', `"by hand; https://openai.test/pricing via ${url}/map.json"`)
        .replace('"2026-01"', JSON.stringify(today)),
    )
    const [backup = ''] = (await listFiles()).filter((name) => name.endsWith('.bak'))
    expect(backup).toMatch(/^models\.json\.\d{8}T\d{9}Z\.bak$/)
    expect(await readFile(join(folder, backup), 'utf8')).toBe(text)
    expect((await stat(real)).mode).toBe((await stat(join(folder, backup))).mode)

    // Another border replaces the tiers as a whole; what is in yuan stays.
    await admin('apply', `${url}/map.json`, '--yes')
    const { models: applied } = JSON.parse(await readFile(real, 'utf8')) as ReturnType<typeof models>
    expect(applied[1]!.offers[0]).toMatchObject({ tiers: [{ above: 127_999, input: 8 }] })
    expect(applied[2]).toEqual(models(url).models[2])
  })
})

describe('npm run admin -- models add', () => {
  test('writes a model with source and date behind those of its platform, formatted as the formatter does', async () => {
    setMap({
      'gpt-10': getEntry('openai', {
        ...gptEntry,
        supports_vision: true,
        deprecation_date: '2027-01-01',
        output_cost_per_reasoning_token: 1.25e-6,
      }),
    })
    const oxfmt = (...options: string[]) =>
      promisify(execFile)('node_modules/.bin/oxfmt', [...options, '-c', '.oxfmtrc.json', file])
    await oxfmt()
    const words = ['add', 'openai/gpt-10', `${url}/map.json`]
    const shown = await admin(...words)
    expect(shown.output).toContain('+   "id": "gpt-10"')
    expect(await listFiles()).toEqual(['models.json'])

    expect((await admin(...words, '--yes')).code).toBe(0)
    await oxfmt('--check')
    const { models: written } = JSON.parse(await readFile(file, 'utf8')) as ReturnType<typeof models>
    expect(written.map(({ id }) => id)).toEqual(['gpt-9', 'grok-9', 'glm-9', 'gone-1', 'gpt-10'])
    expect(written[4]).toEqual({
      id: 'gpt-10',
      name: 'gpt-10',
      type: 'chat',
      context_window: 900_000,
      max_tokens: 100_000,
      capabilities: ['tools', 'reasoning', 'vision'],
      retires: '2027-01-01',
      source: `${url}/map.json`,
      source_date: new Date().toISOString().slice(0, 10),
      unchecked: expect.stringContaining('added from a price map'),
      offers: [getOffer('openai', 'gpt-10', { ...gpt, reasoning: 1.25 })],
    })
    const again = await admin(...words)
    expect([again.code, again.output]).toEqual([1, expect.stringContaining('already in the models file')])
  })

  test('adds an offer to a model that the file has from another platform, and refuses what it cannot say', async () => {
    setMap({
      'xai/gpt-9': getEntry('xai', { input_cost_per_token: 3e-6, output_cost_per_token: 9e-6 }),
      'gpt-9-tts': { litellm_provider: 'openai', mode: 'audio_speech', output_cost_per_second: 0.1 },
      'claude-9-embed': { litellm_provider: 'anthropic', mode: 'embedding', input_cost_per_token: 1e-6 },
    })
    const map = `${url}/map.json`
    expect((await admin('add', 'xai/gpt-9', map, '--yes')).code).toBe(0)
    const text = await readFile(file, 'utf8')
    const { models: written } = JSON.parse(text) as ReturnType<typeof models>
    expect(written[0]!.offers).toEqual([
      getOffer('openai', 'gpt-9', gpt),
      getOffer('xai', 'gpt-9', { currency: 'USD', input: 3, output: 9 }),
    ])
    for (const [name, reason] of [
      ['openai/gpt-9-tts', 'no price that a file can say'],
      ['openai/nothing', 'not in the map'],
      ['anthropic/claude-9-embed', 'needs a platform of dialect openai'],
    ] as const) {
      const { code, output } = await admin('add', name, map, '--yes')
      expect([code, output]).toEqual([1, expect.stringContaining(reason)])
    }
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  test('reads tables of tiers, prices of pictures, and kinds that cost what text does', async () => {
    const picture = { litellm_provider: 'openai', mode: 'image_generation', input_cost_per_image: 0.02 }
    setMap({
      'table-1': getEntry('openai', {
        tiered_pricing: [
          {
            range: [128_000, 1e6],
            input_cost_per_token: 2e-6,
            output_cost_per_token: 8e-6,
            output_cost_per_reasoning_token: 8e-6,
          },
          {
            range: [0, 128_000],
            input_cost_per_token: 1e-6,
            output_cost_per_token: 4e-6,
            output_cost_per_reasoning_token: 3e-6,
            cache_read_input_token_cost: 1e-7,
          },
        ],
      }),
      // More decimals than a file has, a free write, reasoning at the price of text.
      'decimals-1': getEntry('openai', {
        input_cost_per_token: 1.0000001e-6,
        output_cost_per_token: 0.1e-6 + 0.2e-6,
        output_cost_per_reasoning_token: 0.1e-6 + 0.2e-6,
        cache_creation_input_token_cost: 0,
      }),
      'hear-1': { litellm_provider: 'openai', mode: 'audio_transcription', input_cost_per_second: 0.0001 },
      'high/1024-x-1024/paint-1': { ...picture, input_cost_per_image: 0.08 },
      'low/1024-x-1024/paint-1': picture,
      'xai/grok-paint': { ...picture, litellm_provider: 'xai' },
      'xai/high/1024-x-1024/grok-paint': { ...picture, litellm_provider: 'xai', input_cost_per_image: 0.08 },
    })
    const getPrices = async (name: string): Promise<object> => {
      const { output } = await admin('add', name, `${url}/map.json`)
      const lines = output.split('\n').filter((line) => line.startsWith('+ '))
      const added = JSON.parse(lines.map((line) => line.slice(2)).join('')) as {
        offers: [Record<string, unknown>]
      }
      const { platform: _platform, model: _model, currency: _currency, ...prices } = added.offers[0]
      return prices
    }
    expect(await getPrices('openai/table-1')).toEqual({
      input: 1,
      output: 4,
      cached_input: 0.1,
      reasoning: 3,
      // A tier has all of its prices: what it does not name costs what its input does.
      tiers: [{ above: 128_000, input: 2, output: 8, reasoning: 8, cached_input: 2 }],
    })
    expect(await getPrices('openai/decimals-1')).toEqual({ input: 1.000001, output: 0.3 })
    expect(await getPrices('openai/hear-1')).toEqual({ input: 0.1, output: 0 })
    expect(await getPrices('openai/paint-1')).toEqual({
      input: 0,
      output: 0,
      pictures: [
        { quality: 'high', size: '1024x1024', price: 0.08 },
        { quality: 'low', size: '1024x1024', price: 0.02 },
      ],
    })
    // One price beside some others: the dearest of them.
    expect(await getPrices('xai/grok-paint')).toEqual({ input: 0, output: 0, per_call: 0.08 })
  })
})
