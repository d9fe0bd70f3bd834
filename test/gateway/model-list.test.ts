import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { modelNames } from '../world/real-names.ts'
import { useWorld } from '../world/use-world.ts'
import { createCaller, useCaller } from './caller.ts'

const world = useWorld()
const caller = useCaller(world, { allowed_models: ['scripted', 'flat', 'twofold', 'farui-scripted'] })

const list = async (query: string) =>
  (await (await caller.get(`/api/v1/models?${query}`)).json()) as {
    data: { id: string }[]
    has_more: boolean
    first_id: string | null
    last_id: string | null
  }

test('the list is read with fields of OpenAI and of Anthropic', async () => {
  const { data, ...page } = await list('')
  expect(data.map(({ id }) => id)).toEqual(['scripted', 'flat', 'twofold', 'farui-scripted'])
  expect(data[1]).toMatchObject({
    object: 'model',
    type: 'chat',
    display_name: modelNames.flat,
    created: 0,
    created_at: '1970-01-01T00:00:00.000Z',
  })
  expect(page).toMatchObject({
    object: 'list',
    total: 4,
    first_id: 'scripted',
    last_id: 'farui-scripted',
    has_more: false,
  })
})

test('a page is as long as asked, and begins or ends at the model that is named', async () => {
  const ids = async (query: string) => {
    const { data, has_more } = await list(query)
    return [data.map(({ id }) => id).join(' '), has_more]
  }
  expect(await ids('limit=3')).toEqual(['scripted flat twofold', true])
  expect(await ids('limit=3&after_id=flat')).toEqual(['twofold farui-scripted', false])
  expect(await ids('limit=1&before_id=twofold')).toEqual(['flat', true])
  expect(await ids('limit=9&before_id=twofold')).toEqual(['scripted flat', false])
  expect(await ids('after_id=farui-scripted')).toEqual(['', false])
  expect((await caller.get('/v1/models?after_id=scripted-paid')).status).toBe(400)
})

test("OpenAI's client lists the models", async () => {
  const openai = new OpenAI({ apiKey: caller.key, baseURL: `${world.url}/api/v1` })
  const ids: string[] = []
  for await (const model of openai.models.list()) ids.push(model.id)
  expect(ids).toEqual(['scripted', 'flat', 'twofold', 'farui-scripted'])
})

test("Anthropic's client goes through all pages, and finds its own fields in its own meaning", async () => {
  const anthropic = new Anthropic({ apiKey: caller.key, baseURL: `${world.url}/api`, maxRetries: 0 })
  const found: string[] = []
  for await (const model of anthropic.models.list({ limit: 1 }))
    found.push(`${model.type} ${model.display_name}`)
  expect(found).toEqual([
    `model ${modelNames.scripted}`,
    `model ${modelNames.flat}`,
    `model ${modelNames.twofold}`,
    `model ${modelNames['farui-scripted']}`,
  ])
  expect(await anthropic.models.retrieve('flat')).toMatchObject({
    id: 'flat',
    type: 'model',
    max_input_tokens: 64_000,
    max_tokens: 8_000,
  })
  await expect(anthropic.models.retrieve('none')).rejects.toMatchObject({
    status: 404,
    error: { type: 'error', error: { type: 'not_found_error' } },
  })
})

test('a name that was retired leads to its successor, which thinks as that name did', async () => {
  const ask = async (model: string, fields: object = {}) => {
    const program = await createCaller(world, { allowed_models: ['thinker'] })
    world.upstream.script('thinker', { text: '好' })
    await program.complete({ model, messages: [{ role: 'user', content: '?' }], ...fields })
    return (world.upstream.requests.at(-1)!.body as { reasoning_effort?: string }).reasoning_effort
  }
  expect(await ask('thinker')).toBe('none')
  expect(await ask('old-thinker')).toBe('medium')
  expect(await ask('old-thinker', { reasoning_effort: 'low' })).toBe('low')
  const user = await world.user()
  const card = await user.call('GET /api/chat/models/{model}', { params: { model: 'old-thinker' } })
  expect(card.id).toBe('thinker')
  const { models } = await user.call('GET /api/models', {})
  expect(models.some(({ id }) => id === 'old-thinker')).toBe(false)
})
