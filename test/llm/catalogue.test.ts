import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { chatModel } from '#contract/models.ts'
import { calculateCost } from '#server/ledger/prices.ts'
import { loadCatalogue } from '#server/llm/catalogue/catalogue.ts'
import type { Catalogue } from '#server/llm/catalogue/catalogue.ts'
import { findFamily } from '#server/llm/catalogue/families.ts'
import { parseCatalogue } from '#server/llm/catalogue/models-file.ts'
import type { Env } from '#server/llm/catalogue/offers.ts'
import type { CatalogueFile } from '#server/llm/catalogue/schema.ts'

type Model = { id: string; [field: string]: unknown }

const folder = mkdtempSync(join(tmpdir(), 'wenqu-models-'))
afterAll(() => rmSync(folder, { recursive: true }))

const createPlatform = (name: string) => ({
  name,
  alias: `平台 ${name}`,
  dialect: 'openai',
  base_url: `http://127.0.0.1:1/${name}/`,
  api_key_env: `${name.toUpperCase()}_KEY`,
})
const LOCAL = { name: 'local', alias: '本地演示', dialect: 'local' }
const createOffer = (platform: string, input = 100, output = 200) => ({ platform, model: 'm', input, output })
const createChatModel = (id: string, ...offers: object[]): Model => ({ id, name: id, type: 'chat', offers })
const standIn = { ...createChatModel('wenqu-local', createOffer('local', 0, 0)), guest: true }

const renderModelsFile = (...models: Model[]): string =>
  JSON.stringify({ platforms: [createPlatform('a'), createPlatform('b'), LOCAL], models }, null, 2)

let files = 0
function openCatalogue(
  text: string,
  env: Env = {},
): { catalogue: Catalogue; file: string; logged: string[] } {
  files += 1
  const file = join(folder, `${files}.json`)
  writeFileSync(file, text)
  const logged: string[] = []
  const note = (fields: unknown, message?: string): void =>
    void logged.push(`${message} ${JSON.stringify(fields)}`)
  const log = { info: note, warn: note, error: note }
  const catalogue = loadCatalogue({ file, env: { WENQU_OLLAMA: 'off', ...env }, log })
  onTestFinished(() => catalogue.close())
  return { catalogue, file, logged }
}

describe('who serves a model', () => {
  const text = renderModelsFile(
    createChatModel('x', createOffer('a'), createOffer('b', 50, 60)),
    createChatModel('y', createOffer('b')),
    standIn,
  )

  test('the configured platforms, in the order of the file', () => {
    const { catalogue } = openCatalogue(text, { A_KEY: 'ka', B_KEY: 'kb' })
    expect(catalogue.listOffers('x').map(({ platform }) => platform)).toEqual(['a', 'b'])
    expect(catalogue.listOffers('x')[0]).toMatchObject({
      api_key: 'ka',
      base_url: 'http://127.0.0.1:1/a',
      model: 'm',
    })
    expect(
      openCatalogue(text, { B_KEY: 'kb' })
        .catalogue.listOffers('x')
        .map(({ platform }) => platform),
    ).toEqual(['b'])
    expect(catalogue.listOffers('nobody')).toEqual([])
  })

  test('a model whose platforms have no key is shown, but not available', () => {
    const models = openCatalogue(text, { A_KEY: 'ka', B_KEY: '' }).catalogue.listChatModels()
    expect(models.map(({ id, available }) => [id, available])).toEqual([
      ['x', true],
      ['y', false],
    ])
  })

  test('the picker shows the platform and the price that come first now', () => {
    const [shown] = openCatalogue(text, { B_KEY: 'kb' }).catalogue.listChatModels()
    expect(shown).toMatchObject({ platform: '平台 b', input_price: 50, output_price: 60, local: false })
    expect(chatModel.parse(shown)).toEqual(shown)
  })

  test('the stand-in only where no real platform is configured', () => {
    const alone = openCatalogue(text).catalogue
    expect(alone.listOffers('wenqu-local')).toHaveLength(1)
    expect(alone.listChatModels().at(-1)).toMatchObject({ id: 'wenqu-local', local: true, available: true })
    const beside = openCatalogue(text, { A_KEY: 'ka' }).catalogue
    expect(beside.listOffers('wenqu-local')).toEqual([])
    expect(beside.listChatModels().some(({ local }) => local)).toBe(false)
  })

  test('a model whose name contains farui sends cumulative chunks', () => {
    const { catalogue } = openCatalogue(
      renderModelsFile(
        createChatModel('farui-plus', createOffer('a')),
        createChatModel('x', createOffer('a')),
      ),
      { A_KEY: 'k' },
    )
    expect(catalogue.listOffers('farui-plus')[0]?.cumulative).toBe(true)
    expect(catalogue.listOffers('x')[0]?.cumulative).toBe(false)
  })

  test('one that thinks in silence is waited for five times as long as its platform may be silent', () => {
    const { catalogue } = openCatalogue(readFileSync('config/models.json', 'utf8'), {
      OPENAI_API_KEY: 'x',
      DEEPSEEK_API_KEY: 'x',
    })
    const getFirstByte = (id: string) => catalogue.listOffers(id)[0]!.timeouts.first_byte_ms
    expect([getFirstByte('gpt-5.5'), getFirstByte('gpt-4.1')]).toEqual([600_000, 120_000])
    expect(getFirstByte('deepseek-v4-pro')).toBe(120_000)
  })

  test('hidden models and other types are no chat models, yet known', () => {
    const hidden = { ...createChatModel('hidden', createOffer('a')), visible: false }
    const speech = { ...createChatModel('speech', createOffer('a')), type: 'tts' }
    const { catalogue } = openCatalogue(renderModelsFile(hidden, speech), { A_KEY: 'k' })
    expect(catalogue.listChatModels()).toEqual([])
    expect([catalogue.getModel('hidden')?.id, catalogue.getModel('speech')?.type]).toEqual(['hidden', 'tts'])
    expect(catalogue.listOffers('speech')).toHaveLength(1)
  })
})

describe('the default model', () => {
  const text = renderModelsFile(
    standIn,
    createChatModel('x', createOffer('a')),
    { ...createChatModel('y', createOffer('a')), guest: true },
    createChatModel('deepseek-chat', createOffer('b')),
  )

  test.each([
    [{ A_KEY: 'k', B_KEY: 'k' }, 'deepseek-chat', 'y'],
    [{ A_KEY: 'k' }, 'x', 'y'],
    [{ B_KEY: 'k' }, 'deepseek-chat', 'deepseek-chat'],
    [{}, 'wenqu-local', 'wenqu-local'],
  ])('with %o', (env, user, guest) => {
    const { catalogue } = openCatalogue(text, env)
    expect([catalogue.getDefaultModel(), catalogue.getDefaultModel({ guest: true })]).toEqual([user, guest])
  })

  test('is empty where nothing is available', () => {
    expect(
      openCatalogue(renderModelsFile(createChatModel('x', createOffer('a')))).catalogue.getDefaultModel(),
    ).toBe('')
  })
})

describe('prices', () => {
  test('are exact integers of micro-coins, with the absent ones filled in', () => {
    const entry = { ...createOffer('a', 0.1, 0.000003), cached_input: 0.7, per_call: 1.5 }
    const { catalogue } = openCatalogue(
      renderModelsFile({ ...createChatModel('x', entry), discount: 0.85 }),
      { A_KEY: 'k' },
    )
    expect(catalogue.listOffers('x')[0]?.prices).toEqual({
      input: 100_000n,
      output: 3n,
      cached_input: 700_000n,
      cache_write: 100_000n,
      reasoning: 3n,
      per_call: 1_500_000n,
      discount: 8_500n,
    })
    expect(catalogue.listChatModels()[0]).toMatchObject({ input_price: 0.085, output_price: 0.00000255 })
  })

  test('of a million coins with six decimals lose nothing', () => {
    const { catalogue } = openCatalogue(
      renderModelsFile(createChatModel('x', createOffer('a', 999_999.999999))),
      { A_KEY: 'k' },
    )
    expect(catalogue.listOffers('x')[0]?.prices.input).toBe(999_999_999_999n)
  })
})

describe('prices beyond a rate for input and output', () => {
  const offer = {
    ...createOffer('a'),
    cached_input: 10,
    tiers: [
      { above: 128_000, input: 300 },
      { above: 256_000, input: 400, output: 900, cached_input: 40, reasoning: 950, audio_input: 500 },
    ],
  }
  const load = (entry: object, file: object = {}) => {
    const text = JSON.parse(renderModelsFile(createChatModel('x', entry))) as object
    const { catalogue } = openCatalogue(JSON.stringify({ ...text, ...file }), { A_KEY: 'k' })
    return catalogue.listOffers('x')[0]!.prices
  }

  test('what a tier leaves out is as before the first one, or follows its own input and output', () => {
    const { tiers, tiering } = load(offer)
    expect(tiering).toBeUndefined()
    expect(tiers).toEqual([
      {
        above: 128_000,
        input: 300_000_000n,
        output: 200_000_000n,
        cached_input: 10_000_000n,
        cache_write: 300_000_000n,
        reasoning: 200_000_000n,
      },
      {
        above: 256_000,
        input: 400_000_000n,
        output: 900_000_000n,
        cached_input: 40_000_000n,
        cache_write: 400_000_000n,
        reasoning: 950_000_000n,
        audio_input: 500_000_000n,
      },
    ])
    expect(load({ ...offer, tiering: 'parts' }).tiering).toBe('parts')
  })

  test('yuan and dollars become coins at the rate of the file', () => {
    expect(load({ ...offer, currency: 'CNY' })).toMatchObject({ input: 10_000_000_000n, per_call: 0n })
    const dollars = { ...offer, currency: 'USD', input: 0.15, search: 0.01, cache_write_1h: 6 }
    expect(load(dollars)).toMatchObject({ input: 108_000_000n, search: 7_200_000n })
    const atEight = load(dollars, { usd_rate: 8 })
    expect(atEight).toMatchObject({
      input: 120_000_000n,
      search: 8_000_000n,
      cache_write_1h: 4_800_000_000n,
    })
    expect(atEight.tiers?.[0]).toMatchObject({ input: 240_000_000_000n })
  })

  test.each([
    [{ tiers: [{ above: 2 }, { above: 2 }] }, 'ascending order'],
    [{ tiers: [{ above: 2, inputs: 3 }] }, 'inputs'],
    [{ pictures: [{ price: 1 }] }, 'of type image'],
    [{ currency: 'EUR' }, 'currency'],
    [{ thinking: 'maybe' }, 'thinking'],
  ])('%j is refused with its place', (wrong, reason) => {
    expect(() => load({ ...createOffer('a'), ...wrong })).toThrow(reason)
  })
})

describe('a file that is edited while it is used', () => {
  test('is taken over; a bad edit is refused with line and reason, and the old one stays', async () => {
    const { catalogue, file, logged } = openCatalogue(
      renderModelsFile(createChatModel('x', createOffer('a'))),
      { A_KEY: 'k' },
    )
    writeFileSync(file, renderModelsFile(createChatModel('y', createOffer('a'))))
    await expect.poll(() => catalogue.getModel('y')?.id).toBe('y')
    expect(catalogue.getModel('x')).toBeUndefined()

    writeFileSync(file, '{\n  "platforms": [],\n  "models": [oops]\n}')
    await expect.poll(() => catalogue.getReloadError()).toMatch(/^line 3: /)
    expect(catalogue.listOffers('y')).toHaveLength(1)
    expect(logged.filter((line) => line.includes('refused'))).toHaveLength(1)

    rmSync(file)
    await expect.poll(() => catalogue.getReloadError()).toMatch(/ENOENT/)
    writeFileSync(`${file}.new`, renderModelsFile(createChatModel('z', createOffer('a'))))
    renameSync(`${file}.new`, file)
    await expect.poll(() => catalogue.getModel('z')?.id).toBe('z')
    expect(catalogue.getReloadError()).toBeNull()
  })

  test('never logs a key', async () => {
    const { catalogue, file, logged } = openCatalogue(
      renderModelsFile(createChatModel('x', createOffer('a'))),
      { A_KEY: 'sk-canary' },
    )
    writeFileSync(file, renderModelsFile(createChatModel('y', createOffer('a'))))
    await expect.poll(() => catalogue.getModel('y')?.id).toBe('y')
    expect(logged.join('\n')).not.toContain('sk-canary')
  })

  test('a bad file at the start stops the start', () => {
    expect(() => openCatalogue('{')).toThrow(/^line 1: /)
  })
})

describe('the file of the project', () => {
  test.each(['config/models.json', 'bench/models.upstream.json'])('%s is valid', (path) => {
    const { catalogue } = openCatalogue(readFileSync(path, 'utf8'))
    expect(catalogue.listChatModels().length).toBeGreaterThan(0)
  })

  test('has a source for every model, a plain line for what it is good at, and no name twice', () => {
    const file = JSON.parse(readFileSync('config/models.json', 'utf8')) as CatalogueFile
    for (const { id, source, source_date, desc, vendor } of file.models) {
      if (id === 'wenqu-local') continue
      expect([id, Boolean(source), Boolean(source_date), Boolean(vendor)]).toEqual([id, true, true, true])
      expect([id, desc.length > 0 && desc.length <= 40]).toEqual([id, true])
    }
    const { catalogue } = openCatalogue(readFileSync('config/models.json', 'utf8'))
    expect(catalogue.getModel('deepseek-reasoner')?.id).toBe('deepseek-chat')
  })

  test('says of every chat model what it understands, and has no family without a model', () => {
    const { platforms, models } = parseCatalogue(readFileSync('config/models.json', 'utf8'))
    const offers = models.flatMap((model) => model.offers)
    const chatOffers = models.flatMap((model) => (model.type === 'chat' ? model.offers : []))
    const unknown = findFamily({ families: [] }, '?')
    for (const platform of platforms.filter(({ dialect }) => dialect !== 'local')) {
      const served = offers.filter(({ platform: name }) => name === platform.name)
      const found = new Set(served.map(({ model }) => findFamily(platform, model)))
      const ofChat = served.filter((offer) => chatOffers.includes(offer))
      const unknownChat = ofChat.filter(({ model }) => findFamily(platform, model) === unknown)
      expect([platform.name, unknownChat]).toEqual([platform.name, []])
      for (const family of platform.families)
        expect([family.models, found.has(family)]).toEqual([family.models, true])
    }
  })

  test("has xAI's dearer prices from the 200,000th token on, as xAI has", () => {
    const { catalogue } = openCatalogue(readFileSync('config/models.json', 'utf8'), { XAI_API_KEY: 'x' })
    const [offer] = catalogue.listOffers('grok-4.7')
    const cost = (input: number) =>
      calculateCost({ input, output: 0, cached: 0, cache_write: 0, reasoning: 0 }, offer!.prices)
    // 2 and 4 dollars a million, at 720 coins a dollar.
    expect([cost(199_999), cost(200_000)]).toEqual([287_998_560n, 576_000_000n])
  })

  test('answers without any key by the stand-in, for guests too', () => {
    const { catalogue } = openCatalogue(readFileSync('config/models.json', 'utf8'))
    expect(catalogue.getDefaultModel({ guest: true })).toBe('wenqu-local')
    expect(catalogue.listChatModels().filter(({ available }) => available)).toHaveLength(1)
  })
})
