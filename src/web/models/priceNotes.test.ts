import { expect, test } from 'vitest'
import { createModelCard, createOffer } from './testModels.ts'
import { applyDiscount } from './offers.ts'
import { formatTierNote, listPriceNotes } from './priceNotes.ts'

const tiers = [
  { above: 128_000, input: 400, output: 900, cached_input: 40, cache_write: 400, reasoning: 900 },
  { above: 1_000_000, input: 800, output: 900, cached_input: 800, cache_write: 800, reasoning: 900 },
]

test('long inputs are told in words, as the platform counts them', () => {
  expect(listPriceNotes(createOffer({ tiers, tiering: 'whole' }))).toEqual([
    '输入超过 128K 时，整次调用按：输入 400.00，输出 900.00，缓存命中 40.00',
    '输入超过 1M 时，整次调用按：输入 800.00，输出 900.00',
  ])
  expect(listPriceNotes(createOffer({ tiers, tiering: 'parts' }))[1]).toBe(
    '超过 1M 部分：输入 800.00，输出 900.00',
  )
  const card = createModelCard({ discount: 0.5, offers: [createOffer({ tiers })] })
  expect(formatTierNote(card)).toEqual({ input: '超过 128K：200.00', output: '超过 128K：450.00' })
  expect(formatTierNote(createModelCard())).toBeNull()
})

test('sound, pictures, searches and a cache of an hour have a line each, after discount', () => {
  const offer = createOffer({
    cache_write_1h: 400,
    audio_input: 7_000,
    image_output: 30,
    search: 10,
    pictures: [{ size: '1024x1024', quality: 'high', price: 20 }, { price: 5 }],
  })
  expect(listPriceNotes(applyDiscount(offer, 0.5))).toEqual([
    '缓存写入（保留 1 小时） 200.00',
    '音频输入 3,500.00',
    '图片输出 15.00',
    '平台自行联网搜索，每次 5.00',
    '1024x1024 · high：每张 10.00',
    '其他尺寸：每张 2.50',
  ])
  expect(listPriceNotes(createOffer())).toEqual([])
})
