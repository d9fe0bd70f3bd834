import { expect, test } from 'vitest'
import type { ChatModel } from '#contract/models.ts'
import { suggestSets } from './suggestedSets.ts'

const model = (id: string, vendor: string, tags: ChatModel['tags'] = [], price = 1): ChatModel => ({
  id,
  name: id,
  desc: '',
  vendor,
  tags,
  retires: null,
  platform: 'p',
  context_window: 1,
  max_tokens: 1,
  capabilities: [],
  thinking: null,
  guest: true,
  available: true,
  local: false,
  input_price: price,
  output_price: price,
})
const ids = (models: ChatModel[]) =>
  Object.fromEntries(suggestSets(models).map((set) => [set.name, set.models.map(({ id }) => id).join()]))

test('a set has models of several makers before a second one of the same', () => {
  const models = [model('a1', 'a'), model('a2', 'a'), model('b1', 'b'), model('c1', 'c'), model('d1', 'd')]
  expect(ids(models)).toEqual({ popular: 'a1,b1,c1,d1' })
})

test('the cheap set begins with the cheapest, and no set has fewer than two models', () => {
  const models = [model('a', 'a', ['便宜'], 9), model('b', 'b', ['便宜'], 1), model('c', 'c', ['代码'])]
  expect(ids(models)).toEqual({ popular: 'a,b,c', cheap: 'b,a' })
})

test('nothing is suggested where there is nothing to compare, and no set twice', () => {
  expect(ids([model('a', 'a')])).toEqual({})
  expect(ids([model('a', 'a', ['推理', '代码']), model('b', 'b', ['推理', '代码'])])).toEqual({
    popular: 'a,b',
  })
})
