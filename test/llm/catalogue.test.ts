import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { chatModel } from '#contract/models.ts'
import { loadCatalogue } from '#server/llm/catalogue.ts'
import type { Catalogue } from '#server/llm/catalogue.ts'
import type { Env } from '#server/llm/offers.ts'

type Model = { id: string; [field: string]: unknown }

const folder = mkdtempSync(join(tmpdir(), 'wenqu-models-'))
afterAll(() => rmSync(folder, { recursive: true }))

const cloud = (name: string) => ({
  name,
  alias: `平台 ${name}`,
  dialect: 'openai',
  base_url: `http://127.0.0.1:1/${name}/`,
  api_key_env: `${name.toUpperCase()}_KEY`,
})
const LOCAL = { name: 'local', alias: '本地演示', dialect: 'local' }
const offer = (platform: string, input = 100, output = 200) => ({ platform, model: 'm', input, output })
const chat = (id: string, ...offers: object[]): Model => ({ id, name: id, type: 'chat', offers })
const stand_in = { ...chat('wenqu-local', offer('local', 0, 0)), guest: true }

const fileOf = (...models: Model[]): string =>
  JSON.stringify({ platforms: [cloud('a'), cloud('b'), LOCAL], models }, null, 2)

let files = 0
function open(text: string, env: Env = {}): { catalogue: Catalogue; file: string; logged: string[] } {
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
  const text = fileOf(chat('x', offer('a'), offer('b', 50, 60)), chat('y', offer('b')), stand_in)

  test('the configured platforms, in the order of the file', () => {
    const { catalogue } = open(text, { A_KEY: 'ka', B_KEY: 'kb' })
    expect(catalogue.offers('x').map(({ platform }) => platform)).toEqual(['a', 'b'])
    expect(catalogue.offers('x')[0]).toMatchObject({
      api_key: 'ka',
      base_url: 'http://127.0.0.1:1/a',
      model: 'm',
    })
    expect(
      open(text, { B_KEY: 'kb' })
        .catalogue.offers('x')
        .map(({ platform }) => platform),
    ).toEqual(['b'])
    expect(catalogue.offers('nobody')).toEqual([])
  })

  test('a model whose platforms have no key is shown, but not available', () => {
    const models = open(text, { A_KEY: 'ka', B_KEY: '' }).catalogue.chatModels()
    expect(models.map(({ id, available }) => [id, available])).toEqual([
      ['x', true],
      ['y', false],
    ])
  })

  test('the picker shows the platform and the price that come first now', () => {
    const [shown] = open(text, { B_KEY: 'kb' }).catalogue.chatModels()
    expect(shown).toMatchObject({ platform: '平台 b', input_price: 50, output_price: 60, local: false })
    expect(chatModel.parse(shown)).toEqual(shown)
  })

  test('the stand-in only where no real platform is configured', () => {
    const alone = open(text).catalogue
    expect(alone.offers('wenqu-local')).toHaveLength(1)
    expect(alone.chatModels().at(-1)).toMatchObject({ id: 'wenqu-local', local: true, available: true })
    const beside = open(text, { A_KEY: 'ka' }).catalogue
    expect(beside.offers('wenqu-local')).toEqual([])
    expect(beside.chatModels().some(({ local }) => local)).toBe(false)
  })

  test('a model whose name contains farui sends cumulative chunks', () => {
    const { catalogue } = open(fileOf(chat('farui-plus', offer('a')), chat('x', offer('a'))), { A_KEY: 'k' })
    expect(catalogue.offers('farui-plus')[0]?.cumulative).toBe(true)
    expect(catalogue.offers('x')[0]?.cumulative).toBe(false)
  })

  test('hidden models and other types are no chat models, yet known', () => {
    const hidden = { ...chat('hidden', offer('a')), visible: false }
    const speech = { ...chat('speech', offer('a')), type: 'tts' }
    const { catalogue } = open(fileOf(hidden, speech), { A_KEY: 'k' })
    expect(catalogue.chatModels()).toEqual([])
    expect([catalogue.model('hidden')?.id, catalogue.model('speech')?.type]).toEqual(['hidden', 'tts'])
    expect(catalogue.offers('speech')).toHaveLength(1)
  })
})

describe('the default model', () => {
  const text = fileOf(
    stand_in,
    chat('x', offer('a')),
    { ...chat('y', offer('a')), guest: true },
    chat('deepseek-chat', offer('b')),
  )

  test.each([
    [{ A_KEY: 'k', B_KEY: 'k' }, 'deepseek-chat', 'y'],
    [{ A_KEY: 'k' }, 'x', 'y'],
    [{ B_KEY: 'k' }, 'deepseek-chat', 'deepseek-chat'],
    [{}, 'wenqu-local', 'wenqu-local'],
  ])('with %o', (env, user, guest) => {
    const { catalogue } = open(text, env)
    expect([catalogue.default_model(), catalogue.default_model({ guest: true })]).toEqual([user, guest])
  })

  test('is empty where nothing is available', () => {
    expect(open(fileOf(chat('x', offer('a')))).catalogue.default_model()).toBe('')
  })
})

describe('prices', () => {
  test('are exact integers of micro-coins, with the absent ones filled in', () => {
    const entry = { ...offer('a', 0.1, 0.000003), cached_input: 0.7, per_call: 1.5 }
    const { catalogue } = open(fileOf({ ...chat('x', entry), discount: 0.85 }), { A_KEY: 'k' })
    expect(catalogue.offers('x')[0]?.prices).toEqual({
      input: 100_000n,
      output: 3n,
      cached_input: 700_000n,
      cache_write: 100_000n,
      reasoning: 3n,
      per_call: 1_500_000n,
      discount: 8_500n,
    })
    expect(catalogue.chatModels()[0]).toMatchObject({ input_price: 0.085, output_price: 0.00000255 })
  })

  test('of a million coins with six decimals lose nothing', () => {
    const { catalogue } = open(fileOf(chat('x', offer('a', 999_999.999999))), { A_KEY: 'k' })
    expect(catalogue.offers('x')[0]?.prices.input).toBe(999_999_999_999n)
  })
})

describe('a file that is edited while it is used', () => {
  test('is taken over; a bad edit is refused with line and reason, and the old one stays', async () => {
    const { catalogue, file, logged } = open(fileOf(chat('x', offer('a'))), { A_KEY: 'k' })
    writeFileSync(file, fileOf(chat('y', offer('a'))))
    await expect.poll(() => catalogue.model('y')?.id, { timeout: 5_000 }).toBe('y')
    expect(catalogue.model('x')).toBeUndefined()

    writeFileSync(file, '{\n  "platforms": [],\n  "models": [oops]\n}')
    await expect.poll(() => catalogue.error(), { timeout: 5_000 }).toMatch(/^line 3: /)
    expect(catalogue.offers('y')).toHaveLength(1)
    expect(logged.filter((line) => line.includes('refused'))).toHaveLength(1)

    rmSync(file)
    await expect.poll(() => catalogue.error(), { timeout: 5_000 }).toMatch(/ENOENT/)
    writeFileSync(`${file}.new`, fileOf(chat('z', offer('a'))))
    renameSync(`${file}.new`, file)
    await expect.poll(() => catalogue.model('z')?.id, { timeout: 5_000 }).toBe('z')
    expect(catalogue.error()).toBeNull()
  })

  test('never logs a key', async () => {
    const { catalogue, file, logged } = open(fileOf(chat('x', offer('a'))), { A_KEY: 'sk-canary' })
    writeFileSync(file, fileOf(chat('y', offer('a'))))
    await expect.poll(() => catalogue.model('y')?.id, { timeout: 5_000 }).toBe('y')
    expect(logged.join('\n')).not.toContain('sk-canary')
  })

  test('a bad file at the start stops the start', () => {
    expect(() => open('{')).toThrow(/^line 1: /)
  })
})

describe('the file of the project', () => {
  test.each(['config/models.json', 'bench/models.upstream.json'])('%s is valid', (path) => {
    const { catalogue } = open(readFileSync(path, 'utf8'))
    expect(catalogue.chatModels().length).toBeGreaterThan(0)
  })

  test('answers without any key by the stand-in, for guests too', () => {
    const { catalogue } = open(readFileSync('config/models.json', 'utf8'))
    expect(catalogue.default_model({ guest: true })).toBe('wenqu-local')
    expect(catalogue.chatModels().filter(({ available }) => available)).toHaveLength(1)
  })
})
