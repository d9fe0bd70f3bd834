import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { getEntry, getOffer, gpt, gptEntry, type models } from './price-map.ts'
import { useModels } from './use-models.ts'

const { world, admin, setMap, listFiles } = useModels()

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
      promisify(execFile)('node_modules/.bin/oxfmt', [...options, '-c', '.oxfmtrc.json', world.file])
    await oxfmt()
    const words = ['add', 'openai/gpt-10', `${world.url}/map.json`]
    const shown = await admin(...words)
    expect(shown.output).toContain('+   "id": "gpt-10"')
    expect(await listFiles()).toEqual(['models.json'])

    expect((await admin(...words, '--yes')).code).toBe(0)
    await oxfmt('--check')
    const { models: written } = JSON.parse(await readFile(world.file, 'utf8')) as ReturnType<typeof models>
    expect(written.map(({ id }) => id)).toEqual(['gpt-9', 'grok-9', 'glm-9', 'gone-1', 'gpt-10'])
    expect(written[4]).toEqual({
      id: 'gpt-10',
      name: 'gpt-10',
      type: 'chat',
      context_window: 900_000,
      max_tokens: 100_000,
      capabilities: ['tools', 'reasoning', 'vision'],
      retires: '2027-01-01',
      source: `${world.url}/map.json`,
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
    const map = `${world.url}/map.json`
    expect((await admin('add', 'xai/gpt-9', map, '--yes')).code).toBe(0)
    const text = await readFile(world.file, 'utf8')
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
    expect(await readFile(world.file, 'utf8')).toBe(text)
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
      'zai/glm-10': getEntry('zai', { input_cost_per_token: 1e-6, output_cost_per_token: 1e-6 }),
      'xai/grok-paint': { ...picture, litellm_provider: 'xai' },
      'xai/high/1024-x-1024/grok-paint': { ...picture, litellm_provider: 'xai', input_cost_per_image: 0.08 },
    })
    const getPrices = async (name: string): Promise<object> => {
      const { output } = await admin('add', name, `${world.url}/map.json`)
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
      // A tier has all prices: one that the map does not name there is the tier's input price.
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
    expect((await admin('add', 'zhipu/glm-10', `${world.url}/map.json`)).output).toContain('has one in yuan')
    // One price of pictures beside others: the highest of them.
    expect(await getPrices('xai/grok-paint')).toEqual({ input: 0, output: 0, per_call: 0.08 })
  })
})
