import { expect, test } from 'vitest'
import { foldFigures, listPowers } from '#contract/documents/exponents.ts'

test.each([
  ['10⁶', '10^6'],
  ['10<sup>6</sup>', '10^6'],
  ['10^6', '10^6'],
  ['10^{6}', '10^6'],
  ['{10}^{6}', '10^6'],
  ['10**6', '10^6'],
  ['10**6 + 10**9', '10^6 + 10^9'],
  ['1.5×10⁻³', '1.5×10^-3'],
  ['1.5×10^{−3}', '1.5×10^-3'],
  ['6.02 × 10²³', '6.02 × 10^23'],
  ['5 m², 3 M^2', '5 m^2, 3 m^2'],
  ['xⁿ', 'x^n'],
  ['Ca²⁺', 'ca^2+'],
  ['CO₂, H<sub>2</sub>O', 'co2, h2o'],
  ['共 10**6** 台', '共 10**6** 台'],
  ['10**6台**', '10**6台**'],
  ['1ˢᵗ <sup>[1]</sup> ²', '1st <sup>[1]</sup> 2'],
  ['①20 台，2½ 米', ' 1 20 台,2 1⁄2  米'],
  ['ＡＢＣ １０⁶', 'abc 10^6'],
])('%s is folded as %s', (text, folded) => {
  expect(foldFigures(text)).toBe(folded)
})

test.each([
  ['10^6', ['10^6']],
  ['1.5^2', ['1.5^2']],
  ['m^2', ['m^2', 'm2']],
  ['5m^2', ['5m^2', '5m2', 'm^2', 'm2']],
  ['面积x^-n', ['x^-n', 'x-n']],
  ['1.5x10^6', ['1.5x10^6', '10^6']],
  ['水^2, ^3', []],
])('%s is found by %j', (text, powers) => {
  expect(listPowers(text)).toEqual(powers)
})

test('a long text of marks is folded in time', () => {
  for (const mark of ['1**', '^', '²', '{1', '<sup>', '1^', '①', 'a1.'])
    expect(listPowers(foldFigures(mark.repeat(30_000))).length).toBeLessThan(100_000)
})
