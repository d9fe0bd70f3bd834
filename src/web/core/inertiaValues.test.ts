import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cloneDeep, escape, get, has, isEqual, set, toPath } from './inertiaValues.ts'

describe('what Inertia does with values', () => {
  test('a copy of JSON says the same and shares nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = cloneDeep(value)
        expect(copy).toEqual(value)
        expect(isEqual(copy, value)).toBe(true)
        if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value)
      }),
    )
  })

  test('two of JSON are equal where their texts with sorted keys are', () => {
    const sort = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(sort)
        : typeof value === 'object' && value !== null
          ? Object.entries(value)
              .map(([key, inner]) => [key, sort(inner)] as const)
              .sort(([a], [b]) => (a < b ? -1 : 1))
          : value
    const small = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)
    fc.assert(
      fc.property(small, small, (a, b) => {
        const isSameKind = Array.isArray(a) === Array.isArray(b)
        const isSame = isSameKind && JSON.stringify(sort(a)) === JSON.stringify(sort(b))
        if (isEqual(a, b)) expect(isSameKind).toBe(true)
        if (isSame && !JSON.stringify([a, b]).includes('{}')) expect(isEqual(a, b)).toBe(true)
      }),
    )
    expect(isEqual({ a: undefined }, {})).toBe(false)
    expect(isEqual({ a: undefined }, { b: undefined })).toBe(false)
    expect(isEqual([1, [2]], [1, [3]])).toBe(false)
    expect(isEqual([], {})).toBe(false)
    expect(isEqual(null, {})).toBe(false)
  })

  test('functions and files stay what they are', () => {
    const onSuccess = () => {}
    const file = new Blob(['x'])
    const copy = cloneDeep({ onSuccess, data: { file } })
    expect(copy.onSuccess).toBe(onSuccess)
    expect(copy.data.file).toBe(file)
  })

  test('what was put at a path is found there', () => {
    expect(toPath('a.b.0')).toEqual(['a', 'b', '0'])
    expect(toPath('')).toEqual([])
    const settings = { form: { delay: 5 } }
    expect(get(settings, 'form.delay')).toBe(5)
    expect(get(settings, 'form.delay.ms')).toBeUndefined()
    expect(get(undefined, 'form')).toBeUndefined()
    expect([has(settings, 'form.delay'), has(settings, 'form.none'), has(settings, 'toString')]).toEqual([
      true,
      false,
      false,
    ])
    expect(set(settings, 'form.color.dark', 1)).toEqual({ form: { delay: 5, color: { dark: 1 } } })
    expect(set({ list: [1, 2] }, 'list.1', 3)).toEqual({ list: [1, 3] })
    set({}, '__proto__.polluted', true)
    expect('polluted' in {}).toBe(false)
  })

  test('a text is text in HTML', () => {
    expect(escape(`<a href="x">'&'</a>`)).toBe('&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;')
  })
})
