import { expect, test } from 'vitest'
import { encodeText } from '#server/formats/rewriting/encoding.ts'
import { decodeText } from '#server/formats/text/encoding.ts'
import { decodeBytes } from '#server/formats/text/byte-decoder.ts'
import { put } from './take.ts'

/** The first plane, emoji, the characters of Hong Kong and names, and the last code point. */
const RANGES: [number, number][] = [
  [0, 0xd7ff],
  [0xe000, 0xfefe],
  [0xff00, 0xffff],
  [0x1f300, 0x1f6ff],
  [0x20000, 0x2a6df],
  [0x10ffff, 0x10ffff],
]
const points = RANGES.flatMap(([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index),
)
const everything = points.map((point) => String.fromCodePoint(point)).join('')

test.each([
  ['gb18030', 107_212],
  ['big5', 18_606],
  ['shift_jis', 9397],
  ['euc-jp', 13_336],
  ['euc-kr', 17_176],
  ['windows-1251', 256],
  ['windows-1252', 256],
  ['windows-874', 248],
  ['koi8-u', 256],
  ['utf-8', 107_232],
])('every character that %s holds is written and read again, %d of them', (encoding, count) => {
  const missing = new Set<string>()
  const bytes = encodeText(everything, encoding, (character) => {
    missing.add(character)
    return ''
  })
  const { text } = decodeBytes(bytes ?? Buffer.alloc(0), encoding)
  const held = missing.size
    ? Array.from(everything)
        .filter((character) => !missing.has(character))
        .join('')
    : everything
  expect(text === held).toBe(true)
  expect(points.length - missing.size).toBe(count)
})

test.each([
  ['gb18030', '㐂𠮷🙂€', '8139ef319534b23595308532a2e3'],
  ['euc-jp', '丂', '8fb0a1'],
  ['euc-kr', '똠', '8c63'],
  ['big5', '十卅═邨', 'a451a4caf9f99068'],
  ['shift_jis', '纊①∪', 'fa5c874081be'],
])('%s is written by the sequences that others write: %s', (encoding, text, hex) => {
  expect(encodeText(text, encoding)?.toString('hex')).toBe(hex)
})

test.each(['iso-2022-jp', 'iso-2022-kr', 'iso-2022-cn', 'hz-gb-2312'])(
  '%s goes from seven bits to seven bits',
  (encoding) => {
    const text = encoding.endsWith('kr')
      ? '회의록 A~\n서울'
      : '会議 A~\n文字'.replace('議', encoding.endsWith('jp') ? '議' : '议')
    expect(decodeText(encodeText(text, encoding) ?? Buffer.alloc(0))).toEqual({ text, encoding })
    expect(encodeText('𠮷', encoding)).toBeUndefined()
  },
)

test('a translation with rare characters keeps the encoding of its file', async () => {
  const gbk = Buffer.from('d0d5c3fba3bac0eec3f7', 'hex')
  const bytes = Buffer.from((await put(gbk, 'a.txt', { '姓名：李明': '姓名：李𠮷' })).bytes)
  expect(bytes.toString('hex')).toBe('d0d5c3fba3bac0ee9534b235')
  // A file of Windows writes the euro by one byte, which two bytes replace.
  const page = Buffer.concat([Buffer.from('<meta charset=gbk><p>'), Buffer.from('80bcdbb8f1', 'hex')])
  const back = Buffer.from((await put(page, 'a.html', { '€价格': '价格€' })).bytes)
  expect(back.toString('latin1')).toContain('\xBC\xDB\xB8\xF1\xA2\xE3')
})
