import { expect, test } from 'vitest'
import { encodeText } from '#server/formats/rewriting/encoding.ts'
import { decodeText, isWideText } from '#server/formats/text/encoding.ts'
import { countGarbled } from '#server/formats/text/garble.ts'
import { makeZip } from './make-container.ts'
import { read, textOf } from './read.ts'

test.each([
  ['gb18030', '你好', 'c4e3bac3'],
  ['gb18030', '产品,价格\n苹果,3.5\n', 'b2fac6b72cbcdbb8f10ac6bbb9fb2c332e350a'],
  ['gb18030', '型号,库存\nA100,20\n', 'd0cdbac52cbfe2b4e60a413130302c32300a'],
  ['gb18030', '价格表', 'bcdbb8f1b1ed'],
  ['gb18030', '1 2 3 完', '312032203320cdea'],
  ['gb18030', '什么', 'cab2c3b4'],
  ['big5', '會議紀要', 'b77cc4b3acf6ad6e'],
  ['big5', '佢哋喺邨口', 'ca5c925d9df69068a466'],
  ['shift_jis', '東京都', '938c8b9e9373'],
  [
    'shift_jis',
    '名前,年齢,住所\n佐藤太郎,30,東京\n',
    '96bc914f2c944e97ee2c8f5a8f8a0a8db293a191be98592c33302c938c8b9e0a',
  ],
  ['euc-jp', '会議の議事録です。', 'b2f1b5c4a4ceb5c4bbf6cfbfa4c7a4b9a1a3'],
  ['euc-kr', '회의록', 'c8b8c0c7b7cf'],
  ['euc-kr', '똠방각하 펲시콜라', '8c63b9e6b0a2c7cf20bc84bdc3c4ddb6f3'],
  ['windows-1251', 'Привет, мир', 'cff0e8e2e5f22c20ece8f0'],
  ['windows-1251', 'Договор № 17', 'c4eee3eee2eef020b9203137'],
  ['koi8-u', 'Привет, мир', 'f0d2c9d7c5d42c20cdc9d2'],
  ['windows-1252', 'Prénom,Âge\nRené,30\n', '5072e96e6f6d2cc267650a52656ee92c33300a'],
  ['windows-1252', 'Übergröße für Männer', 'dc6265726772f6df652066fc72204de46e6e6572'],
  ['windows-1252', 'Temp: 25°C', '54656d703a203235b043'],
  ['windows-1250', 'Zażółć gęślą jaźń', '5a61bff3b3e62067ea9c6cb9206a619ff1'],
  ['windows-1253', 'Καλημέρα κόσμε', 'cae1ebe7ecddf1e120eafcf3ece5'],
  [
    'windows-1254',
    'Satış sözleşmesi ve ödeme koşulları',
    '536174fdfe2073f67a6c65fe6d65736920766520f664656d65206b6ffe756c6c6172fd',
  ],
  ['windows-1256', 'مرحبا بالعالم', 'e3d1cdc8c720c8c7e1dac7e1e3'],
  ['windows-874', 'สวัสดีชาวโลก', 'cac7d1cab4d5aad2c7e2c5a1'],
  ['utf-16le', '你好', '604f7d59'],
  ['utf-16le', '会议纪要 2024', '1a4fae8baa7e818920003200300032003400'],
  ['utf-16be', '一个一个地做完，一天也不少。', '4e004e2a4e004e2a5730505a5b8cff0c4e0059294e5f4e0d5c113002'],
  ['utf-16le', 'Привет', '1f0440043804320435044204'],
  ['utf-32le', '你好世界，价格', '604f00007d590000164e00004c7500000cff0000f74e00003c680000'],
  ['utf-32be', '你好世界，价格', '00004f600000597d00004e160000754c0000ff0c00004ef70000683c'],
  ['iso-2022-jp', '日本語 ABC', '1b2442467c4b5c386c1b284220414243'],
  ['iso-2022-kr', '한국어 test', '1b2429430e475131393e6e0f2074657374'],
  ['hz-gb-2312', '会议 A 纪要', '7e7b3b6152697e7d2041207e7b3c4d522a7e7d'],
  ['hz-gb-2312', '会议 ~ 会~\n', '7e7b3b6152697e7d207e7e207e7b3b617e7d7e0a'],
  ['hz-gb-2312', '会议 ~{<', '7e7b3b6152697e7d207e7b3c'],
  ['iso-2022-cn', '会议 A', '1b2429410e3b6152690f2041'],
])('%s without a mark is recognised: %s', (encoding, text, hex) => {
  expect(decodeText(Buffer.from(hex, 'hex'))).toEqual({ text, encoding })
})

test.each([
  ['short words and identifiers', 'OK', 'id', 'N/A', 'kN8y', 'Bush hid the facts', 'a+b=c;', '/g)]', 'OMS:'],
  [
    'short texts of other languages',
    'é',
    'Да',
    'naïve',
    '25°C',
    'Đ',
    'ß',
    '«oui»',
    'čas',
    '\u{F0B7} item',
    'שלום',
  ],
  [
    'code with the marks of HZ and of terminals',
    'a ~{ b ~}',
    '(format t "~{(~a)~}~%" xs)\n(format nil "~{~a, ~}~~" ys)',
    '\x1B[1m粗\x1B[0m',
    '\x1B[31mred',
  ],
])('%s in UTF-8 stay UTF-8', (_, ...texts) => {
  for (const text of texts) expect(decodeText(Buffer.from(text))).toEqual({ text, encoding: 'utf-8' })
})

const GBK = Buffer.from('c4e3bac3cac0bde7a3acbdf1ccecccecc6f8babcbac3', 'hex')

test('UTF-8 with a broken byte stays UTF-8, and what is declared wins over a guess only where it can be true', () => {
  const broken = Buffer.concat([
    Buffer.from('今天天气很好，我们去公园'),
    Buffer.of(0xe4),
    Buffer.from('散步。'),
  ])
  expect(decodeText(broken)).toMatchObject({ encoding: 'utf-8' })
  const short = Buffer.from('cdea', 'hex')
  expect(decodeText(short, 'windows-1251').text).toBe('Нк')
  expect(decodeText(short, 'no-such-encoding').text).toBe('完')
  // Programs write `iso-8859-1` into every page.
  expect(decodeText(Buffer.concat([GBK, GBK]), 'iso-8859-1').encoding).toBe('gb18030')
  expect(decodeText(Buffer.concat([GBK, Buffer.of(0xff)]), 'gb2312').encoding).toBe('gb18030')
})

test('a few characters after much ASCII decide', () => {
  const code = Buffer.from('const value = compute(first, second) // nothing to see\n'.repeat(2000))
  expect(decodeText(Buffer.concat([code, Buffer.from('// '), GBK])).encoding).toBe('gb18030')
  expect(decodeText(Buffer.concat([code, Buffer.from('// déjà vu, ça va\n', 'latin1')])).encoding).toBe(
    'windows-1252',
  )
})

test.each([
  ['big5', '我們今天去台北，你也可以來。'],
  ['shift_jis', 'これは日本語のテキストです。'],
  ['windows-1251', 'Привет, мир'],
])('a few characters of %s decide after much ASCII in their own line', (encoding, text) => {
  const json = JSON.stringify({ data: 'QUJD'.repeat(3_500), text })
  expect(decodeText(encodeText(json, encoding)!)).toEqual({ text: json, encoding })
})

test('UTF-16 whose halves of characters are control characters is text, and programs are not', async () => {
  const text = '一、上下三七万丈，专且世不中个\n'
  expect(textOf(await read(Buffer.from(text.repeat(3), 'utf16le'), 'a.txt'))).toContain(text.trim())
  const program = Buffer.from('7f454c4602010100000000000000000003003e00010000004010000000000000', 'hex')
  expect(isWideText(program)).toBe(false)
})

test.each<[encoding: string, names: Record<string, string>]>([
  [
    'GBK',
    {
      '1完.txt': '31cdea2e747874',
      '会议纪要.txt': 'bbe1d2e9bccdd2aa2e747874',
      '价格.txt': 'bcdbb8f12e747874',
    },
  ],
  // The last byte of a name may be a backslash; a folder's is one, too.
  ['Big5', { '會議/紀錄說明.txt': 'b77cc4b32facf6bffdbba1a9fa2e747874', 成功: 'a6a8a55c', '': 'b77cc4b35c' }],
])('names in an archive tell their encoding together: %s', async (_, names) => {
  const codes = Object.values(names)
  const zip = makeZip(
    Object.fromEntries(codes.map((hex) => [hex, '天光云影共徘徊'])),
    Object.fromEntries(codes.map((hex) => [hex, { flags: 0, name: Buffer.from(hex, 'hex') }])),
  )
  const { pieces } = await read(zip, 'a.zip')
  expect(pieces.map(({ place }) => place.entry)).toEqual(Object.keys(names).filter(Boolean))
})

test.each([
  ['UTF-8 read as GBK', '鍏充簬', '浣犲ソ涓栫晫', '锟斤拷锟斤拷'],
  ['UTF-8 read as Latin-1', 'ä¸\u00ADå›½äººæ°‘', 'Ã©tÃ©', 'Ð¿Ñ€Ð¸Ð²ÐµÑ‚'],
  ['GBK read as Latin-1', 'ÖÐ¹ú', 'ÄãºÃ£¬ÊÀ½ç'],
  ['UTF-8 read as Windows-1251', 'РџСЂРёРІРµС‚'],
  ['Big5 read as GBK, and GBK as EUC-KR', '┰デ砏倒偿皑钉穝近', '윗훙렇방못죄柰쯩뚠劤寧쫴'],
  ['UTF-8 and GBK read as others of Japan', '縺薙ｓ縺ｫ縺｡縺ｯ', '墨怜染喷などに败瓢拉光丹'],
  [
    'numbers of glyphs',
    '7KH\u0003TXLFN\u0003EURZQ\u0003IR[',
    'ɘⅇ䀶弥ᢄ㝳噢࿁⺰䶟۾◭䓜揋ᴪ㰙嬈ᑧ㍖剅த⪓䦂⇐䂿微ᤍ㟼囫၊',
  ],
  ['glyphs without a map', '㠟㤳䀂䎑㔉㖈䃺㕔㝂㝴㚁䎆㑇㒈㔁㣀㔡㣌㘁㐡', 'ԱअกԱกअกאกბ', '\u0003\u0011(cid:12)'],
])('%s is garble', (_, ...texts) => {
  for (const text of texts) {
    const { garbled, chars } = countGarbled(text)
    expect(garbled / chars, text).toBeGreaterThan(0.5)
  }
})

test.each([
  [
    'classical Chinese',
    '帝高陽之苗裔兮，朕皇考曰伯庸。攝提貞於孟陬兮，惟庚寅吾以降。扈江離與辟芷兮，紉秋蘭以為佩。',
  ],
  [
    'rare words and names',
    '魑魅魍魉饕餮蹀躞踟蹰氤氲旖旎缱绻龃龉耄耋囹圄踽踽茕茕',
    '贾爔祎、龚彧、晏翀、綦犇、逄喆、仉曌、芈玥',
  ],
  [
    'rare characters',
    '龘靐齉爩麤灪龗厵纞虋讟钃',
    '㐀㐁㐂㐃㐄㐅㐆㐇㐈㐉㐊㐋㐌㐍㐎㐏㐐㐑㐒㐓㐔',
    '氕氘氚氦锂铍硼铷锶钇锆铌钼锝钌铑钯铟锡锑碲碘氙铯钡镧铈镨',
  ],
  [
    'numbers, maths and emoji',
    '1,234.56\t78.9%\t−5',
    '∀ε>0 ∃δ>0: |x−a|<δ ⇒ ∑ᵢ xᵢ² ≤ ∫₀^∞ e^{−t} dt, 𝔸→𝔹',
    '👨‍👩‍👧‍👦 🎉 👍🏽 ✅ 🇨🇳',
    '┌──┬──┐ █▓▒░',
  ],
  [
    'other scripts',
    'བོད་ཀྱི་སྐད་ཡིག་ནི',
    'ئۇيغۇر تىلى تۈركىي',
    'ᠮᠣᠩᠭᠣᠯ ᠬᠡᠯᠡ',
    'Tất cả mọi người sinh ra',
    'ﾄｳｷｮｳﾄ ﾁﾖﾀﾞｸ',
    '안녕하세요',
    'ㄅㄆㄇㄈ',
  ],
  [
    'capitals and accents',
    'ДОГОВОР КУПЛИ-ПРОДАЖИ № 17',
    'ÄÖÜ äöü ß ÉÈÊ «Ça va?»',
    'Það er ógæfa að þú æðir út',
    '/ˌɪntəˈnæʃənəl fəˈnɛtɪk/',
    'Nǐ hǎo, wǒ jiào Lǐ Míng',
  ],
  [
    'many languages',
    '中文 English 日本語 한국어 Русский Ελληνικά العربية ไทย हिन्दी',
    'Windows и USB-порт, Δt = 5 µs, Ω',
  ],
])('%s are no garble', (_, ...texts) => {
  for (const text of texts) expect(countGarbled(text).garbled, text).toBe(0)
})
