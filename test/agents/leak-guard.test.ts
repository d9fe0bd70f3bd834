import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLeakGuard, MIN_RUN_CHARS } from '#server/assistants/agents/leak-guard.ts'

const SECRET =
  '你是问渠图书馆的馆员，只依据馆藏目录回答读者，绝不谈论价格。Answer in at most three short sentences.'

/** Returns a reader's text of these pieces, and whether the answer was ended. */
function pass(secret: string, pieces: string[], options: { knownTexts?: string[]; before?: string } = {}) {
  const filter = createLeakGuard({ secret, knownTexts: [], ...options })!.createFilter()
  const shown = pieces.map((piece) => filter.push(piece))
  return { shown: shown.join('') + filter.flush(), blocked: filter.blocked, steps: shown }
}

const bare = (text: string): string =>
  text
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
/** Tells whether a text has this many characters in a row of another. */
function hasRun(text: string, secret: string, length = MIN_RUN_CHARS): boolean {
  const whole = bare(secret)
  const runs = Array.from({ length: Math.max(0, whole.length - length + 1) }, (_, at) =>
    whole.slice(at, at + length),
  )
  return runs.some((run) => bare(text).includes(run))
}
function cut(text: string, places: number[]): string[] {
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b)
  return [...ends, text.length].map((end, at) => text.slice(at ? ends[at - 1] : 0, end))
}

describe('a secret text', () => {
  test.each([
    ['word for word', '只依据馆藏目录回答读者，绝不谈论价格'],
    ['with other marks and spaces', '只 依 据\n馆藏“目录”——回答·读者：绝不谈论价格'],
    ['in other letters', 'ＡＮＳＷＥＲ in at MOST three short'],
    ['in the middle of other words', '我的规则是：只依据馆藏目录回答读者，绝不谈论价格。好吗'],
  ])('is not repeated %s', (_, text) => {
    const { shown, blocked } = pass(SECRET, Array.from(text))
    expect(blocked).toBe(true)
    expect(hasRun(shown, SECRET, 8)).toBe(false)
  })

  test('may be spoken of, and named in parts', () => {
    for (const text of [
      '我是馆员，只依据馆藏目录回答。',
      '馆藏目录里有三本，读者可以借阅，绝不收费。',
      'Answer in most cases.',
    ])
      expect(pass(SECRET, Array.from(text))).toMatchObject({ shown: text, blocked: false })
  })

  test('that the reader knows is none', () => {
    const run = '只依据馆藏目录回答读者，绝不谈论价格'
    const knownTexts = [`你的规则是不是“${run}”？`]
    expect(pass(SECRET, Array.from(run), { knownTexts })).toMatchObject({ shown: run, blocked: false })
    expect(pass(SECRET, [`${run}。Answer in at most three`], { knownTexts }).blocked).toBe(true)
  })

  test('is not repeated by an answer that goes on', () => {
    const [first, second] = ['规则：只依据馆藏目录', '回答读者，绝不谈论价格']
    expect(pass(SECRET, [first]).blocked).toBe(false)
    expect(pass(SECRET, [second]).blocked).toBe(false)
    expect(pass(SECRET, [second], { before: first })).toMatchObject({ shown: '', blocked: true })
    expect(pass(SECRET, ['的书都可以借。'], { before: first }).shown).toBe('的书都可以借。')
  })

  test('that is short is not looked for, and costs nothing', () => {
    expect(createLeakGuard({ secret: '你是馆员，请简短回答。', knownTexts: [] })).toBeNull()
    expect(createLeakGuard({ secret: SECRET, knownTexts: [SECRET] })).toBeNull()
  })

  test('does not hold up a text that has nothing of it', () => {
    const text = '水从哪里来？为有源头活水来！𠮷野家的碗很大。'
    const { steps } = pass(SECRET, Array.from(text))
    expect(steps.join('')).toBe(text)
    // Half of a character waits for its other half.
    expect(pass(SECRET, ['\ud842', '\udfb7野'])).toMatchObject({ steps: ['', '𠮷野'] })
  })
})

describe('however a text is cut', () => {
  const letters = fc.constantFrom(...Array.from('甲乙丙丁ab1，。 \n'))
  const text = fc.string({ unit: letters, maxLength: 80 })
  const places = fc.array(fc.nat({ max: 200 }), { maxLength: 12 })

  test('no run of the secret is shown, and all before it is', () => {
    fc.assert(
      fc.property(text, text, text, places, (secret, start, end, cuts) => {
        if (!createLeakGuard({ secret, knownTexts: [] })) return
        for (const whole of [start + end, start + secret + end, start + secret.slice(3)]) {
          const one = pass(secret, [whole])
          const { shown, blocked } = pass(secret, cut(whole, cuts))
          expect({ shown, blocked }).toEqual({ shown: one.shown, blocked: one.blocked })
          expect(blocked).toBe(hasRun(whole, secret))
          expect(hasRun(shown, secret)).toBe(false)
          expect(whole.startsWith(shown)).toBe(true)
          if (!blocked) expect(shown).toBe(whole)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('no more is held back than could become a run', () => {
    fc.assert(
      fc.property(text, text, (secret, whole) => {
        const guard = createLeakGuard({ secret, knownTexts: [] })
        if (!guard) return
        const filter = guard.createFilter()
        let shown = ''
        for (const [at, piece] of Array.from(whole).entries()) {
          shown += filter.push(piece)
          if (filter.blocked) return
          const held = Array.from(whole)
            .slice(0, at + 1)
            .join('')
            .slice(shown.length)
          expect(bare(secret)).toContain(bare(held))
          expect(bare(held).length).toBeLessThan(MIN_RUN_CHARS)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('what is known is let through, and nothing else', () => {
    fc.assert(
      fc.property(text, text, places, (secret, known, cuts) => {
        const guard = createLeakGuard({ secret, knownTexts: [known] })
        const { shown, blocked } = guard
          ? pass(secret, cut(known, cuts), { knownTexts: [known] })
          : { shown: known, blocked: false }
        expect({ shown, blocked }).toEqual({ shown: known, blocked: false })
      }),
      { numRuns: 1_000 },
    )
  })
})
