import { describe, expect, test } from 'vitest'
import type { ModelCard } from '#contract/models.ts'
import {
  countFacetChoices,
  emptyFilters,
  parseFilters,
  filterModels,
  serializeFilters,
  splitByUse,
} from './filters.ts'
import { createModelCard, createOffer } from './testModels.ts'

const cards: ModelCard[] = [
  createModelCard({ id: 'chat-a', name: '问答甲', capabilities: ['tools'], context_window: 8192 }),
  createModelCard({
    id: 'chat-b',
    name: '问答乙',
    desc: '擅长写代码',
    capabilities: ['tools', 'reasoning'],
    context_window: 65_536,
    offers: [createOffer({ platform: 'two', alias: '二号平台', input: 50, output: 80, throughput: 30 })],
  }),
  createModelCard({
    id: 'embed-c',
    name: '向量丙',
    type: 'embedding',
    offers: [createOffer({ input: 10, output: 0, throughput: 90 })],
  }),
]
const ids = (filters: Partial<typeof emptyFilters>) =>
  filterModels(cards, { ...emptyFilters, ...filters }).map(({ id }) => id)

describe('what is shown', () => {
  test('every word must occur, in whatever field and case', () => {
    expect(ids({ q: '代码 CHAT' })).toEqual(['chat-b'])
    expect(ids({ q: '二号' })).toEqual(['chat-b'])
    expect(ids({ q: '代码 甲' })).toEqual([])
    expect(ids({ q: '  ' })).toHaveLength(3)
  })

  test('one of the types or platforms, every one of the capabilities', () => {
    expect(ids({ type: ['embedding'] })).toEqual(['embed-c'])
    expect(ids({ platform: ['one', 'two'] })).toHaveLength(3)
    expect(ids({ capability: ['tools', 'reasoning'] })).toEqual(['chat-b'])
  })

  test('orders', () => {
    expect(ids({ sort: 'price' })).toEqual(['embed-c', 'chat-b', 'chat-a'])
    expect(ids({ sort: 'context' })).toEqual(['chat-b', 'chat-a', 'embed-c'])
    expect(ids({ sort: 'speed' })).toEqual(['embed-c', 'chat-b', 'chat-a'])
  })
})

test('a choice counts what it would show beside the other filters', () => {
  const filters = { ...emptyFilters, type: ['chat'], capability: ['reasoning'] }
  expect(countFacetChoices(cards, filters, 'type')).toEqual([
    { value: 'chat', label: '对话', count: 1 },
    { value: 'embedding', label: '向量', count: 0 },
  ])
  expect(countFacetChoices(cards, filters, 'platform')).toEqual([
    { value: 'one', label: '腾讯云 TokenHub', count: 0 },
    { value: 'two', label: '二号平台', count: 1 },
  ])
  expect(countFacetChoices(cards, filters, 'capability')).toEqual([
    { value: 'tools', label: '工具调用', count: 1 },
    { value: 'reasoning', label: '深度思考', count: 1 },
  ])
})

test('filters survive the way through the address', () => {
  const filters = {
    q: '写 代码',
    type: ['chat', 'tts'],
    tag: ['便宜'],
    platform: ['two'],
    capability: [],
    sort: 'price' as const,
  }
  expect(parseFilters(serializeFilters(filters))).toEqual(filters)
  expect(serializeFilters(emptyFilters).size).toBe(0)
  expect(parseFilters(new URLSearchParams('sort=nonsense&type=,,'))).toEqual(emptyFilters)
})

test('what can be used stands apart from what cannot', () => {
  const models = [
    createModelCard({ id: 'used' }),
    createModelCard({ id: 'keyless', available: false }),
    createModelCard({ id: 'retiring', retires: '2026-12' }),
  ]
  const { usable, others } = splitByUse(models)
  expect(usable.map(({ id }) => id)).toEqual(['used', 'retiring'])
  expect(others.map(({ id }) => id)).toEqual(['keyless'])
})

test('a tag and a vendor are found; of two tags both are needed', () => {
  const models = [
    createModelCard({ id: 'a', vendor: '智谱', tags: ['便宜', '快'] }),
    createModelCard({ id: 'b', tags: ['便宜'] }),
  ]
  const find = (filters: Partial<typeof emptyFilters>) =>
    filterModels(models, { ...emptyFilters, ...filters }).map(({ id }) => id)
  expect(find({ tag: ['便宜', '快'] })).toEqual(['a'])
  expect(find({ q: '智谱' })).toEqual(['a'])
})
