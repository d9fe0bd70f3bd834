import { describe, expect, test } from 'vitest'
import { filterModels, groupModels } from './modelGroups.ts'
import { createChatModel as model } from './testModels.ts'

const names = (groups: ReturnType<typeof groupModels>) =>
  groups.map((group) => [group.name, group.models.map(({ id }) => id)])

describe('the models of the picker', () => {
  const models = [
    model('off', { available: false }),
    model('a'),
    model('far', { platform: '乙', available: false }),
    model('b', { platform: '丙', guest: true }),
  ]

  test('are grouped by maker, what can be used first', () => {
    expect(names(groupModels(models, [], false))).toEqual([
      ['甲', ['a', 'off']],
      ['丙', ['b']],
      ['乙', ['far']],
    ])
  })

  test('for a guest begin with those that guests may try', () => {
    expect(names(groupModels(models, [], true))[0]).toEqual(['丙', ['b']])
  })

  test('that were asked last are on top, once, and only while they can be used', () => {
    expect(names(groupModels(models, ['b', 'gone', 'off'], false))).toEqual([
      ['最近使用', ['b']],
      ['甲', ['a', 'off']],
      ['乙', ['far']],
    ])
  })
})

test('models are found by every word, in name, maker, description or capability', () => {
  const models = [
    model('qwen', { desc: '写代码', capabilities: ['vision'], platform: '阿里云百炼' }),
    model('other'),
  ]
  const ids = (q: string) => filterModels(models, q).map(({ id }) => id)
  expect(ids('')).toEqual(['qwen', 'other'])
  expect(ids('QWEN')).toEqual(['qwen'])
  expect(ids('百炼 识图')).toEqual(['qwen'])
  expect(ids('百炼 思考')).toEqual([])
})
