import { describe, expect, test } from 'vitest'
import { discountBadge, fastestOffer, limitTexts, lowestOffer, priceTexts } from './offers.ts'
import { card, offer } from './testCard.ts'

describe('the lowest offer', () => {
  const dear = offer({ platform: 'dear', input: 400, output: 1200 })
  const cheap = offer({ platform: 'cheap', configured: false })

  test('is one that can be called, before any that cannot', () => {
    expect(lowestOffer(card({ offers: [dear, cheap] }))?.platform).toBe('dear')
    const none = { ...dear, configured: false }
    expect(lowestOffer(card({ offers: [none, cheap] }))?.platform).toBe('cheap')
    expect(lowestOffer(card({ offers: [] }))).toBeNull()
  })

  test('has the discount taken off every price', () => {
    const sold = lowestOffer(card({ discount: 0.5, offers: [offer({ per_call: 4 })] }))
    expect(sold).toMatchObject({ input: 100, output: 150, cached_input: 10, reasoning: 150, per_call: 2 })
  })
})

describe('prices as text', () => {
  test('two decimals, after discount', () => {
    expect(priceTexts(card({ discount: 0.85 }))).toEqual({ input: '170.00', output: '255.00' })
  })

  test('a model that costs nothing is free', () => {
    expect(priceTexts(card({ discount: 0 }))).toEqual({ input: '免费', output: '免费' })
    const free = offer({ input: 0, output: 0 })
    expect(priceTexts(card({ type: 'embedding', offers: [free] }))).toEqual({ input: '免费', output: null })
  })

  test('what is paid by the call says so, and what writes nothing has no output price', () => {
    const drawing = card({ type: 'image', offers: [offer({ input: 0, output: 0, per_call: 14 })] })
    expect(priceTexts(drawing)).toEqual({ input: '14.00 / 张', output: null })
    const speech = card({ type: 'tts', offers: [offer({ input: 20_000, output: 0 })] })
    expect(priceTexts(speech)).toEqual({ input: '200.00 / 万字符', output: null })
    const hearing = card({ type: 'asr', discount: 0.5, offers: [offer({ input: 100, output: 0 })] })
    expect(priceTexts(hearing)).toEqual({ input: '180.00 / 小时', output: null })
    const embedding = card({ type: 'embedding', offers: [offer({ input: 50, output: 0 })] })
    expect(priceTexts(embedding)).toEqual({ input: '50.00', output: null })
  })
})

test('only a discount is worth a badge', () => {
  expect([1, 0.85, 0].map((discount) => discountBadge(card({ discount })))).toEqual([null, '8.5折', '免费'])
})

test('limits belong to types that have them', () => {
  expect(limitTexts(card())).toEqual({ context: '8K', longest: '4K' })
  expect(limitTexts(card({ type: 'rerank' }))).toEqual({ context: '8K', longest: null })
  expect(limitTexts(card({ type: 'image' }))).toEqual({ context: null, longest: null })
})

test('speed is that of the platform that wrote fastest', () => {
  const offers = [
    offer(),
    offer({ platform: 'two', throughput: 20 }),
    offer({ platform: 'three', throughput: 55 }),
  ]
  expect(fastestOffer(card({ offers }))?.platform).toBe('three')
  expect(fastestOffer(card())).toBeNull()
})
