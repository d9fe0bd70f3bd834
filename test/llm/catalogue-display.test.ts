import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadCatalogue } from '#server/llm/catalogue/catalogue.ts'
import type { Catalogue } from '#server/llm/catalogue/catalogue.ts'
import type { Env } from '#server/llm/catalogue/offers.ts'

const createOffer = (platform: string) => ({ platform, model: 'm', input: 1, output: 1 })
const createModel = (id: string, type: string, ...platforms: string[]) => ({
  id,
  name: id,
  type,
  offers: platforms.map(createOffer),
})
const createPlatform = (name: string) => ({
  name,
  alias: name,
  dialect: 'openai',
  base_url: 'http://127.0.0.1:1',
  api_key_env: `${name.toUpperCase()}_KEY`,
})

function openCatalogue(env: Env): Catalogue {
  const folder = mkdtempSync(join(tmpdir(), 'wenqu-plaza-'))
  const file = join(folder, 'models.json')
  const models = [
    createModel('local', 'chat', 'local'),
    createModel('x', 'chat', 'a', 'b'),
    createModel('picture', 'image', 'b'),
    { ...createModel('hidden', 'chat', 'a'), visible: false },
  ]
  const platforms = [
    createPlatform('a'),
    createPlatform('b'),
    { name: 'local', alias: 'local', dialect: 'local' },
  ]
  writeFileSync(file, JSON.stringify({ platforms, models }))
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const catalogue = loadCatalogue({ file, env: { WENQU_OLLAMA: 'off', ...env }, log })
  onTestFinished(() => {
    catalogue.close()
    rmSync(folder, { recursive: true })
  })
  return catalogue
}

test('the plaza has visible models of every type with all their offers, and the platforms', () => {
  const catalogue = openCatalogue({ A_KEY: 'k' })
  expect(
    catalogue.listModels().map(({ id, offers }) => [id, offers.map(({ platform }) => platform)]),
  ).toEqual([
    ['x', ['a', 'b']],
    ['picture', ['b']],
  ])
  expect(catalogue.listPlatforms().map(({ name }) => [name, catalogue.isConfigured(name)])).toEqual([
    ['a', true],
    ['b', false],
    ['local', true],
  ])
  expect(catalogue.isConfigured('nobody')).toBe(false)
})

test('the stand-in is there only where no real platform is configured', () => {
  const ids = (env: Env): string[] =>
    openCatalogue(env)
      .listModels()
      .map(({ id }) => id)
  expect(ids({})).toEqual(['local', 'x', 'picture'])
  expect(ids({ B_KEY: 'k' })).toEqual(['x', 'picture'])
})
