import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { useOwnWorld } from '../world/use-world.ts'
import { scriptedModels } from '../world/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'wenqu-retired-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'models.json')
const { models, ...rest } = scriptedModels('http://127.0.0.1:1/v1')
const first = models[0]!
const both = [
  { ...first, id: 'gone', retires: '2025-12' },
  { ...first, id: 'going', retires: '2099-12' },
]
writeFileSync(file, JSON.stringify({ ...rest, aliases: [], models: both }))
const world = useOwnWorld({ env: { MODELS_FILE: file } })

test('a model that its vendor has retired is no choice any more, though its platform has a key', async () => {
  const user = await world.user()
  const { models: choices, default_model } = await user.call('GET /api/chat/models', { query: {} })
  expect(choices.map(({ id, available }) => [id, available])).toEqual([
    ['gone', false],
    ['going', true],
  ])
  expect(default_model).toBe('going')
  const { models: cards } = await user.call('GET /api/models', {})
  expect(cards.map(({ id, available }) => [id, available])).toEqual([
    ['gone', false],
    ['going', true],
  ])
})
