import { describe, expect, test } from 'vitest'
import {
  formatDiscountBadge,
  findFastestOffer,
  formatLimits,
  findCheapestOffer,
  formatPrices,
} from './offers.ts'
import { createModelCard, createOffer } from './testModels.ts'

describe('the lowest offer', () => {
  const dear = createOffer({ platform: 'dear', input: 400, output: 1200 })
  const cheap = createOffer({ platform: 'cheap', configured: false })

  test('is one that can be called, before any that cannot', () => {
    expect(findCheapestOffer(createModelCard({ offers: [dear, cheap] }))?.platform).toBe('dear')
    const none = { ...dear, configured: false }
    expect(findCheapestOffer(createModelCard({ offers: [none, cheap] }))?.platform).toBe('cheap')
    expect(findCheapestOffer(createModelCard({ offers: [] }))).toBeNull()
  })

  test('has the discount taken off every price', () => {
    const sold = findCheapestOffer(createModelCard({ discount: 0.5, offers: [createOffer({ per_call: 4 })] }))
    expect(sold).toMatchObject({ input: 100, output: 150, cached_input: 10, reasoning: 150, per_call: 2 })
  })
})

describe('prices as text', () => {
  test('two decimals, after discount', () => {
    expect(formatPrices(createModelCard({ discount: 0.85 }))).toEqual({ input: '170.00', output: '255.00' })
  })

  test('a model that costs nothing is free', () => {
    expect(formatPrices(createModelCard({ discount: 0 }))).toEqual({ input: '免费', output: '免费' })
    const free = createOffer({ input: 0, output: 0 })
    expect(formatPrices(createModelCard({ type: 'embedding', offers: [free] }))).toEqual({
      input: '免费',
      output: null,
    })
  })

  test('what is paid by the call says so, and what writes nothing has no output price', () => {
    const drawing = createModelCard({
      type: 'image',
      offers: [createOffer({ input: 0, output: 0, per_call: 14 })],
    })
    expect(formatPrices(drawing)).toEqual({ input: '14.00 / 张', output: null })
    const painting = createModelCard({ type: 'image', offers: [createOffer({ input: 360, output: 2160 })] })
    expect(formatPrices(painting)).toEqual({ input: '360.00', output: '2,160.00' })
    const speech = createModelCard({ type: 'tts', offers: [createOffer({ input: 20_000, output: 0 })] })
    expect(formatPrices(speech)).toEqual({ input: '200.00 / 万字符', output: null })
    const hearing = createModelCard({
      type: 'asr',
      discount: 0.5,
      offers: [createOffer({ input: 100, output: 0 })],
    })
    expect(formatPrices(hearing)).toEqual({ input: '180.00 / 小时', output: null })
    const embedding = createModelCard({ type: 'embedding', offers: [createOffer({ input: 50, output: 0 })] })
    expect(formatPrices(embedding)).toEqual({ input: '50.00', output: null })
  })
})

test('only a discount is worth a badge', () => {
  expect([1, 0.85, 0].map((discount) => formatDiscountBadge(createModelCard({ discount })))).toEqual([
    null,
    '8.5折',
    '免费',
  ])
})

test('limits belong to types that have them', () => {
  expect(formatLimits(createModelCard())).toEqual({ context: '8K', maxOutput: '4K' })
  expect(formatLimits(createModelCard({ type: 'rerank' }))).toEqual({ context: '8K', maxOutput: null })
  expect(formatLimits(createModelCard({ type: 'image' }))).toEqual({ context: null, maxOutput: null })
})

test('speed is that of the platform that wrote fastest', () => {
  const offers = [
    createOffer(),
    createOffer({ platform: 'two', throughput: 20 }),
    createOffer({ platform: 'three', throughput: 55 }),
  ]
  expect(findFastestOffer(createModelCard({ offers }))?.platform).toBe('three')
  expect(findFastestOffer(createModelCard())).toBeNull()
})
