import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError } from '#server/core/app-error.ts'
import { createLog } from '#server/core/log.ts'
import { canUseModel, loadCatalogue, requireModelAccess } from '#server/llm/llm.ts'
import type { Catalogue } from '#server/llm/llm.ts'

let folder: string
let catalogue: Catalogue
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wenqu-access-'))
  const platform = (name: string, dialect: string, more: object = {}) => ({
    name,
    alias: name,
    dialect,
    timeout_ms: 1000,
    ...more,
  })
  const model = (id: string, more: object = {}, on = 'real') => ({
    id,
    name: id,
    desc: '',
    type: 'chat',
    context_window: 1000,
    max_tokens: 100,
    capabilities: [],
    visible: true,
    guest: false,
    discount: 1,
    offers: [{ platform: on, model: id, input: 0, output: 0 }],
    ...more,
  })
  const keyed = (apiKeyEnv: string) => ({ base_url: 'http://127.0.0.1:9', api_key_env: apiKeyEnv })
  const file = join(folder, 'models.json')
  const content = {
    platforms: [
      platform('real', 'openai', keyed('REAL_KEY')),
      platform('keyless', 'openai', keyed('ABSENT_KEY')),
      platform('demo', 'local'),
    ],
    models: [
      model('open', { guest: true }),
      model('member'),
      model('hidden', { visible: false, guest: true }),
      model('speech', { type: 'tts', guest: true }),
      model('absent', {}, 'keyless'),
      model('stand-in', { guest: true }, 'demo'),
    ],
  }
  await writeFile(file, JSON.stringify(content))
  const env = { REAL_KEY: 'k', WENQU_OLLAMA: 'off' }
  catalogue = loadCatalogue({ file, env, log: createLog('silent') })
})
afterAll(async () => {
  catalogue.close()
  await rm(folder, { recursive: true })
})

const getRefusal = (...[id, access]: [string, Parameters<typeof requireModelAccess>[2]]) => {
  try {
    return requireModelAccess(catalogue, id, access).id
  } catch (error) {
    return error instanceof AppError ? [error.code, error.fields].filter(Boolean) : error
  }
}

test.each([
  ['open', {}, 'open'],
  ['absent', { type: 'chat' }, 'absent'],
  ['stand-in', { type: 'chat' }, 'stand-in'],
  ['nothing', {}, ['model_not_found']],
  ['hidden', { guest: true }, ['model_not_found']],
  ['stand-in', { listed: true }, ['model_not_found']],
  ['speech', { type: 'chat', allowed_models: [] }, ['model_not_found']],
  ['speech', { type: 'chat', type_error: 'x' }, ['model_not_found', { model: 'x' }]],
  ['member', { guest: true, allowed_models: [] }, ['guest_model']],
  ['member', { guest: false, allowed_models: null }, 'member'],
  ['member', { allowed_models: ['open'] }, ['model_not_allowed']],
  ['member', { allowed_models: ['open', 'member'] }, 'member'],
] as const)('%s with %j is %j', (id, access, expected) => {
  expect(getRefusal(id, access)).toEqual(expected)
})

test('a model can be used where it is allowed and a platform serves it now', () => {
  const usable = ['open', 'member', 'hidden', 'speech', 'absent', 'stand-in', 'nothing'].filter((id) =>
    canUseModel(catalogue, id, { type: 'chat' }),
  )
  expect(usable).toEqual(['open', 'member'])
  expect(canUseModel(catalogue, 'member', { guest: true })).toBe(false)
})
