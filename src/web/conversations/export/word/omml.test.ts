import katex from 'katex'
import { expect, test } from 'vitest'
import { parseMathMl } from './mathml.ts'
import { type Omml, toOmml } from './omml.ts'

/** Abbreviates a formula of Word: `f(num(r:a),den(r:b))`, with values of properties after an equals sign. */
function short(node: Omml | string): string {
  if (typeof node === 'string') return node
  const name = node.name.slice(2)
  const value = node.attributes?.['m:val']
  if (value !== undefined) return `${name}=${value}`
  if (name === 't') return `"${node.children.map(short).join('')}"`
  return `${name}(${node.children.map(short).join(',')})`
}

function word(tex: string): string {
  const math = parseMathMl(katex.renderToString(tex, { output: 'mathml', displayMode: true }))
  return toOmml(math ?? { tag: '', attributes: {}, text: '', children: [] })
    .map(short)
    .join(' ')
}

test.each([
  ['\\frac{a}{b}', 'f(num(r("a")),den(r("b")))'],
  ['\\binom{n}{k}', 'd(dPr(begChr=(,endChr=)),e(f(fPr(type=noBar),num(r("n")),den(r("k")))))'],
  ['x^2', 'sSup(e(r("x")),sup(r("2")))'],
  ['a_i', 'sSub(e(r("a")),sub(r("i")))'],
  ['a_i^2', 'sSubSup(e(r("a")),sub(r("i")),sup(r("2")))'],
  ['\\sqrt{x}', 'rad(radPr(degHide=1),deg(),e(r("x")))'],
  ['\\sqrt[3]{x}', 'rad(deg(r("3")),e(r("x")))'],
  ['\\sum_{i=1}^n i', 'nary(naryPr(chr=∑,limLoc=undOvr),sub(r("i"),r("="),r("1")),sup(r("n")),e(r("i")))'],
  ['\\int_0^1 x', 'nary(naryPr(chr=∫,limLoc=subSup),sub(r("0")),sup(r("1")),e(r("x")))'],
  ['\\hat{x}', 'acc(accPr(chr=\u0302),e(r("x")))'],
  ['\\overline{ab}', 'bar(barPr(pos=top),e(r("a"),r("b")))'],
  ['\\lim_{x} y', 'limLow(e(r(rPr(sty=p),"lim")),lim(r("x"))) r("y")'],
  ['\\mathbb{R}', 'r(rPr(scr=double-struck),"R")'],
  ['\\text{当 }x', 'r(rPr(nor=1),"当\u00a0") r("x")'],
  ['a < b \\& c', 'r("a") r("<") r("b") r(rPr(sty=p),"&") r("c")'],
  ['\\boxed{x}', 'borderBox(e(r("x")))'],
  ['\\underbrace{a}_{n}', 'limLow(e(groupChr(groupChrPr(chr=⏟,pos=bot,vertJc=top),e(r("a")))),lim(r("n")))'],
])('%s becomes a formula of Word', (tex, xml) => {
  expect(word(tex)).toBe(xml)
})

test('a matrix has its rows and columns between its brackets', () => {
  const matrix = word('\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}')
  expect(matrix).toMatch(/^d\(dPr\(begChr=\(,endChr=\)\),e\(m\(mPr\(/)
  expect(matrix.match(/mr\(e\(r\("\w"\)\),e\(r\("\w"\)\)\)/g)).toHaveLength(2)
})

test('cases have a left bracket only', () => {
  expect(word('\\begin{cases} a & b \\\\ c & d \\end{cases}')).toContain('d(dPr(begChr={,endChr=)')
})

test('no operator is left without an operand', () => {
  for (const tex of ['\\sum_i', '\\sum_i = 1', '\\int_0^1\\!\\int_0^1 f'])
    expect(word(tex)).not.toMatch(/,e\(\)/)
})

test.each(['\\sum_i\\sum_j a', '\\int_0^1\\int_0^1\\int_0^1 a + b', '\\prod_k\\,\\sum_i\\,a'])(
  'the operand of operators in a row stands once, inside the last: %s',
  (tex) => {
    const text = word(tex)
    expect(text.split('"a"')).toHaveLength(2)
    expect(text).not.toMatch(/,e\(\)/)
  },
)
