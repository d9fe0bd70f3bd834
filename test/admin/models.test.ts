import { readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { executeModelsCommand } from '#server/admin/models/models.ts'
import { getEntry, getOffer, gptEntry, models, modelsDevMap, priceMap } from './price-map.ts'
import { useModels } from './use-models.ts'

const { world, admin, runAdmin, setMap, listFiles } = useModels()

describe('npm run admin -- models list', () => {
  const offers = [getOffer('openai', 'x', { input: 1, output: 1 })]
  const soon = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  const more = [
    { id: 'paint-9', name: 'P', type: 'image', retires: soon, offers },
    { id: 'old-1', name: 'O', type: 'chat', retires: '2025-12', offers },
    { id: 'secret-1', name: 'S', type: 'chat', visible: false, offers },
    { id: 'own', name: 'L', type: 'chat', offers: [getOffer('local', 'own', { input: 0, output: 0 })] },
    {
      id: 'both-1',
      name: 'B',
      type: 'chat',
      retires: '2025',
      offers: ['xai', 'zhipu', 'xai'].map((platform) => getOffer(platform, 'b', { input: 1, output: 1 })),
    },
  ]
  const writeFileWith = async (added: object[]): Promise<void> => {
    const { platforms, ...file } = models(world.url)
    const local = { name: 'local', alias: 'L', dialect: 'local' }
    const text = { ...file, platforms: [...platforms, local], models: [...file.models, ...added] }
    await writeFile(world.file, JSON.stringify(text))
  }
  const listRows = (output: string): string[] =>
    output.split('\n').map((row) => row.trim().replace(/ {2,}/g, ' | '))

  test('prints who is seen, and why the others are not, without a network', async () => {
    await writeFileWith(more)
    const { code, output } = await runAdmin('list')
    expect(code).toBe(0)
    expect(listRows(output)).toEqual([
      '用户可见 / people see (3)',
      'gpt-9 | chat | openai',
      'gone-1 | chat | openai',
      `paint-9 | image | openai | retires ${soon}`,
      '',
      expect.stringMatching(/one of these variables is enough \(3\)$/),
      'grok-9 | chat | XAI_KEY',
      'glm-9 | chat | ZHIPU_KEY',
      'both-1 | chat | XAI_KEY, ZHIPU_KEY | retired 2025',
      '',
      expect.stringMatching(/retired: not offered any more.* \(1\)$/),
      'old-1 | chat | openai | retired 2025-12',
      '',
      expect.stringMatching(/demonstration model.* \(1\)$/),
      'own | chat',
      '',
      expect.stringMatching(/"visible": false in the file \(1\)$/),
      'secret-1 | chat',
      '',
      '共 9 个模型，用户可见 3 个 / 9 models, people see 3',
      '',
    ])
    expect(output).toMatch(/^ {2}gpt-9 {4}chat {3}openai$/m)
    expect(world.maps.asked).toEqual([])
  })

  test('shows the demonstration model where no platform has a key, as people see it then', async () => {
    await writeFileWith(more)
    const output = await executeModelsCommand({ words: ['list'], file: world.file, env: {} })
    expect(listRows(output).slice(0, 3)).toEqual(['用户可见 / people see (1)', 'own | chat | local', ''])
    expect(output).toContain('OPENAI_KEY')
    expect(output).not.toContain('demonstration')
  })
})

describe('npm run admin -- models check', () => {
  test('prints what is dearer, cheaper, new, retired, different and unchecked, and writes nothing', async () => {
    const text = await readFile(world.file, 'utf8')
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
    const { code, output } = await admin('check', `${world.url.replace('127.0.0.1', 'localhost')}/moved`)
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
    expect(await readFile(world.file, 'utf8')).toBe(text)
    const command = await runAdmin('check', `${world.url}/nowhere.json`)
    expect(command).toEqual({ code: 1, output: `${world.url}/nowhere.json: status 404\n` })
  })

  test('finds nothing to tell where the map says what the file says', async () => {
    const { output } = await admin('check', `${world.url}/map.json`)
    expect(output).not.toMatch(/→|−|retired|new at/)
    expect(output).toContain('compared 4 offers')
  })

  test("reads models.dev's form, with tiers of the input", async () => {
    world.maps.pages['/api.json'] = JSON.stringify(modelsDevMap)
    const { output } = await admin('check', `${world.url}/api.json`)
    const rows = output.split('\n').map((row) => row.trim().replace(/ {2,}/g, ' | '))
    expect(rows).toContain('openai/gpt-9 | output >272000 | 15 → 30 USD | +100.0%')
    expect(rows).toContain('openai/gpt-9 | cached_input | 0.2 → 0.25 USD | +25.0%')
    expect(rows).toContain('openai/gpt-9 | +vision')
    expect(rows).toContain('xai/grok-9 | input >200000 | 4 → 5 USD | +25.0%')
    expect(rows).toContain('xai/grok-9 | tiers above 200000; ours: 199999')
    expect(rows).toContain('openai/gone-1 | retired 2026-03-01 | gone-1')
  })

  test('compares no prices of different units, and believes no map that something is free', async () => {
    const picture = { litellm_provider: 'openai', mode: 'image_generation', input_cost_per_image: 1 }
    setMap({
      'gpt-9': getEntry('openai', { input_cost_per_token: 0, output_cost_per_token: 0 }),
      'low/1024-x-1024/paint-9': picture,
    })
    const offers = [getOffer('openai', 'paint-9', { currency: 'USD', input: 5, output: 30 })]
    const fileModels = models(world.url)
    const paint = { id: 'paint-9', name: 'P', type: 'image', offers }
    await writeFile(world.file, JSON.stringify({ ...fileModels, models: [...fileModels.models, paint] }))
    const { output } = await admin('apply', `${world.url}/map.json`)
    expect(output).toMatch(/gpt-9 +paid by nothing in the map, by token in the file/)
    expect(output).toMatch(/paint-9 +paid by picture in the map, by token in the file/)
    expect(output).toContain('nothing to change')
  })

  test('asks a platform for its own list with its own key, which goes nowhere else', async () => {
    world.maps.pages['/v1/models'] = JSON.stringify({ data: [{ id: 'claude-9' }] })
    const list = await admin('check', `${world.url}/v1/models`)
    expect(list.output).toContain('anthropic/claude-9')
    expect(world.maps.asked).toEqual([
      { path: '/v1/models', authorization: undefined, api_key: 'sk-anthropic' },
    ])

    const saved = join(world.folder, 'list.json')
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
    [broken('2e-6'), 'line 15: gpt-9.input_cost_per_token: a price must be a number from 0, not "2e-6"'],
    [broken(-1), 'gpt-9.input_cost_per_token'],
    [broken(2), '2 dollars cannot be true: another unit?'],
    [JSON.stringify({ ...priceMap(), 'gpt-8': { mode: 'chat' } }), 'gpt-8: no litellm_provider'],
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
    const saved = join(world.folder, 'map.json')
    await writeFile(saved, map)
    const words = map.includes('"data"') ? ['--platform', 'openai'] : []
    const { code, output } = await admin('check', saved, ...words)
    expect([code, output]).toEqual([1, expect.stringContaining(reason)])
    expect(output.trim().split('\n')).toHaveLength(1)
  })

  test.each([
    [[], 'usage: npm run admin -- models list'],
    [['check', 'a', 'b'], 'usage'],
    [['check', '--yes'], 'usage'],
    [['list', '/map.json'], 'usage'],
    [['add'], 'usage'],
    [['check', '/nowhere.json'], '/nowhere.json: ENOENT'],
    [['check', 'http://127.0.0.1:1/'], 'bad port'],
    [['apply', 'zhipu/glm-9', '/map.json'], 'no offer in dollars of this name'],
  ])('refuses %j in words', async (words, reason) => {
    const { code, output } = await admin(
      ...words.map((word) => (word === '/map.json' ? world.url + word : word)),
    )
    expect([code, output]).toEqual([1, expect.stringContaining(reason)])
  })
})

describe('npm run admin -- models apply', () => {
  test('changes no byte where nothing changed', async () => {
    const text = await readFile(world.file, 'utf8')
    const { code, output } = await admin('apply', '--yes', `${world.url}/map.json`)
    expect([code, output]).toEqual([0, expect.stringContaining('nothing to change')])
    expect(await readFile(world.file, 'utf8')).toBe(text)
    expect(await listFiles()).toEqual(['models.json'])
  })

  test('shows the difference first, and with --yes writes the prices in dollars and nothing else', async () => {
    const link = join(world.folder, 'link.json')
    await symlink(world.file, link)
    const real = world.file
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
    const shown = await admin('apply', `${world.url}/map.json`)
    expect(shown.output).toMatch(/openai\/gpt-9 +input +2 → 3 USD +\+50\.0%/)
    expect(shown.output).toContain('add --yes')
    expect(await readFile(real, 'utf8')).toBe(text)

    world.file = link
    const { code, output } = await runAdmin('apply', 'openai/gpt-9', `${world.url}/map.json`, '--yes')
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
        .replace('"by hand"', `"by hand; https://openai.test/pricing via ${world.url}/map.json"`)
        .replace('"2026-01"', JSON.stringify(today)),
    )
    const [backup = ''] = (await listFiles()).filter((name) => name.endsWith('.bak'))
    expect(backup).toMatch(/^models\.json\.\d{8}T\d{9}Z\.bak$/)
    expect(await readFile(join(world.folder, backup), 'utf8')).toBe(text)
    expect((await stat(real)).mode).toBe((await stat(join(world.folder, backup))).mode)

    // Another border replaces the tiers as a whole; prices in yuan stay.
    await admin('apply', `${world.url}/map.json`, '--yes')
    const { models: applied } = JSON.parse(await readFile(real, 'utf8')) as ReturnType<typeof models>
    expect(applied[1]!.offers[0]).toMatchObject({ tiers: [{ above: 127_999, input: 8 }] })
    expect(applied[2]).toEqual(models(world.url).models[2])
  })

  test('sets what a tier left out too, where it would change with the prices below', async () => {
    setMap({
      'xai/grok-9': getEntry('xai', {
        input_cost_per_token: 2e-6,
        output_cost_per_token: 6e-6,
        cache_read_input_token_cost: 5e-7,
        input_cost_per_token_above_200k_tokens: 4e-6,
        output_cost_per_token_above_200k_tokens: 1.2e-5,
        cache_read_input_token_cost_above_200k_tokens: 4e-6,
      }),
    })
    await admin('apply', `${world.url}/map.json`, '--yes')
    const { models: applied } = JSON.parse(await readFile(world.file, 'utf8')) as ReturnType<typeof models>
    expect(applied[1]!.offers[0]).toMatchObject({
      cached_input: 0.5,
      tiers: [{ above: 199_999, input: 4, output: 12, cached_input: 4 }],
    })
    expect((await admin('apply', `${world.url}/map.json`)).output).toContain('nothing to change')
  })
})
