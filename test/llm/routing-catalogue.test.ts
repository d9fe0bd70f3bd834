import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadCatalogue } from '#server/llm/catalogue.ts'
import type { Catalogue } from '#server/llm/catalogue.ts'
import type { Env } from '#server/llm/offers.ts'

const offer = (platform: string) => ({ platform, model: 'm', input: 1, output: 1 })
const model = (id: string, type: string, ...platforms: string[]) => ({
  id,
  name: id,
  type,
  offers: platforms.map(offer),
})
const cloud = (name: string) => ({
  name,
  alias: name,
  dialect: 'openai',
  base_url: 'http://127.0.0.1:1',
  api_key_env: `${name.toUpperCase()}_KEY`,
})

function open(env: Env): Catalogue {
  const folder = mkdtempSync(join(tmpdir(), 'wenqu-plaza-'))
  const file = join(folder, 'models.json')
  const models = [
    model('local', 'chat', 'local'),
    model('x', 'chat', 'a', 'b'),
    model('picture', 'image', 'b'),
    { ...model('hidden', 'chat', 'a'), visible: false },
  ]
  const platforms = [cloud('a'), cloud('b'), { name: 'local', alias: 'local', dialect: 'local' }]
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
  const catalogue = open({ A_KEY: 'k' })
  expect(catalogue.models().map(({ id, offers }) => [id, offers.map(({ platform }) => platform)])).toEqual([
    ['x', ['a', 'b']],
    ['picture', ['b']],
  ])
  expect(catalogue.platforms().map(({ name }) => [name, catalogue.configured(name)])).toEqual([
    ['a', true],
    ['b', false],
    ['local', true],
  ])
  expect(catalogue.configured('nobody')).toBe(false)
})

test('the stand-in is there only where no real platform is configured', () => {
  const ids = (env: Env): string[] =>
    open(env)
      .models()
      .map(({ id }) => id)
  expect(ids({})).toEqual(['local', 'x', 'picture'])
  expect(ids({ B_KEY: 'k' })).toEqual(['x', 'picture'])
})
