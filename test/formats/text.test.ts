import { expect, test } from 'vitest'
import { read, textOf } from './read.ts'

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')
const utf32 = (text: string): Buffer => {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const buffer = Buffer.alloc(points.length * 4)
  points.forEach((point, index) => buffer.writeUInt32LE(point, index * 4))
  return buffer
}

test.each([
  ['UTF-8 with a mark', Buffer.from('\uFEFF问渠那得清如许'), 'utf-8', '问渠那得清如许'],
  ['UTF-16LE with a mark', utf16('\uFEFF问渠那得清如许'), 'utf-16le', '问渠那得清如许'],
  ['UTF-16BE with a mark', utf16('\uFEFF问渠那得清如许').swap16(), 'utf-16be', '问渠那得清如许'],
  [
    'UTF-16LE without a mark',
    utf16('第 1 章 问渠那得清如许\r\n第 2 章 为有源头活水来\r\n'),
    'utf-16le',
    '为有源头活水来',
  ],
  ['UTF-32LE with a mark', utf32('\uFEFF问渠那得清如许'), 'utf-32le', '问渠那得清如许'],
  // 我们今天去北京，你也可以来。
  [
    'GB18030',
    bytes('ced2c3c7bdf1ccecc8a5b1b1bea9a3acc4e3d2b2bfc9d2d4c0b4a1a3'),
    'gb18030',
    '我们今天去北京，你也可以来。',
  ],
  // A rare character of four bytes: 㐀 in 姓㐀的人
  ['GB18030 with four bytes', bytes('d0d58139ee39b5c4c8cbd4dad5e2c0ef'), 'gb18030', '姓㐀的人在这里'],
  // 我們今天去台北，你也可以來。
  [
    'Big5',
    bytes('a7daadcca4b5a4d1a568a578a55fa141a741a45da569a548a8d3a143'),
    'big5',
    '我們今天去台北，你也可以來。',
  ],
  // これは日本語のテキストです。
  [
    'Shift-JIS',
    bytes('82b182ea82cd93fa967b8cea82cc8365834c8358836782c582b78142'),
    'shift_jis',
    'これは日本語のテキストです。',
  ],
  // 안녕하세요. 이것은 한국어입니다.
  [
    'EUC-KR',
    bytes('bec8b3e7c7cfbcbcbfe42e20c0ccb0cdc0ba20c7d1b1b9beeec0d4b4cfb4d92e'),
    'euc-kr',
    '안녕하세요. 이것은 한국어입니다.',
  ],
  [
    'Latin-1',
    Buffer.from('Le café de la forêt est fermé à midi', 'latin1'),
    'windows-1252',
    'Le café de la forêt',
  ],
])('%s is recognised and reported', async (_, content, encoding, text) => {
  const reading = await read(content, 'a.txt')
  expect(textOf(reading)).toContain(text)
  expect(reading.report).toMatchObject({ encoding, garble: 0 })
})

test('a page that declares GB2312 is read as GB18030, whatever the case', async () => {
  const page = Buffer.concat([
    Buffer.from('<html><head><META charset="GB2312"></head><body><p>'),
    bytes('d6d0cec4'),
    Buffer.from('</p></body></html>'),
  ])
  const reading = await read(page, 'a.html')
  expect(textOf(reading)).toBe('中文')
  expect(reading.report.encoding).toBe('gb18030')
})

test('a text that was garbled before it came is reported as garbled', async () => {
  const mojibake = new TextDecoder('gb18030').decode(
    Buffer.from('问渠那得清如许？为有源头活水来。半亩方塘一鉴开，天光云影共徘徊。'),
  )
  const reading = await read(mojibake, 'a.txt')
  expect(reading.report.garbled).toEqual([1])
  expect(reading.report.garble).toBeGreaterThan(0.5)
})

test('comma, tab, semicolon and bar separated values become tables with their ranges', async () => {
  for (const [delimiter, name] of [
    [',', 'a.csv'],
    ['\t', 'a.tsv'],
    [';', 'a.csv'],
    ['|', 'a.csv'],
  ] as const) {
    const rows = [
      ['姓名', '备注'],
      ['王小明', `"第一行\n有 ""引号"" 和${delimiter}"`],
      ['李', ''],
    ]
    const reading = await read(rows.map((row) => row.join(delimiter)).join('\r\n'), name)
    const cell = `第一行<br>有 "引号" 和${delimiter === '|' ? '\\|' : delimiter.trim()}`
    expect(textOf(reading)).toBe(`| 姓名 | 备注 |\n| --- | --- |\n| 王小明 | ${cell} |\n| 李 |  |`)
    expect(reading.pieces[0]?.place).toEqual({ range: 'A1:B3' })
  }
})

test('a long table is several pieces, each under its header', async () => {
  const rows = Array.from({ length: 250 }, (_, index) => `${index + 1},值${index + 1}`)
  const { pieces } = await read(['编号,数值', ...rows].join('\n'), 'a.csv')
  expect(pieces.map(({ place }) => place.range)).toEqual(['A1:B101', 'A102:B201', 'A202:B251'])
  for (const { text } of pieces) expect(text).toMatch(/^\| 编号 \| 数值 \|\n/)
})

test('Markdown keeps its headings as places, and a fence hides what looks like one', async () => {
  const reading = await read('# 甲\n\n一\n\n## 乙\n\n```sh\n# 不是标题\n```\n\n# 丙\n\n三\n', '说明.MD')
  expect(reading.pieces).toEqual([
    { text: '# 甲\n\n一', place: { line: 1, heading: ['甲'] } },
    { text: '## 乙\n\n```sh\n# 不是标题\n```', place: { line: 5, heading: ['甲', '乙'] } },
    { text: '# 丙\n\n三', place: { line: 11, heading: ['丙'] } },
  ])
})

test('source code and JSON are blocks of code with their lines', async () => {
  const lines = Array.from({ length: 300 }, (_, index) => `const value_${index} = ${index}`)
  const { pieces } = await read(lines.join('\n'), 'a.ts')
  expect(pieces[0]?.text).toMatch(/^```ts\nconst value_0 = 0\n/)
  expect(pieces.length).toBeGreaterThan(1)
  const second = pieces[1]
  expect(second?.text.split('\n')[1]).toBe(lines[(second?.place.line ?? 0) - 1])
  expect(textOf(await read('{"甲":[1,2]}', 'a.json'))).toContain('"甲": [\n    1,')
})

test('a page keeps headings, lists, tables with merged cells and links, and drops scripts and hidden parts', async () => {
  const reading = await read(
    `<!doctype html><title>标题</title><script>alert(1)</script><h1>一级</h1><p>正文 <b>粗</b> <a href="https://example.com/a b">链接</a></p>
    <div style="display:none">看不见</div><ul><li>甲<ul><li>乙</li></ul></li></ul>
    <table><tr><th colspan=2>表头</th><th>丙</th></tr><tr><td rowspan=2>左</td><td>1</td><td>2</td></tr><tr><td>3</td><td>a|b</td></tr></table>`,
    'a.html',
  )
  expect(reading.title).toBe('标题')
  expect(textOf(reading)).toBe(
    `# 一级\n\n正文 **粗** [链接](https://example.com/a%20b)\n\n- 甲\n  - 乙\n\n| 表头 | 表头 | 丙 |\n| --- | --- | --- |\n| 左 | 1 | 2 |\n| 左 | 3 | a\\|b |`,
  )
  expect(reading.pieces[0]?.place).toEqual({ heading: ['一级'] })
})

test('a text that begins with # is no heading above the next one', async () => {
  const page = '<!doctype html><h1>甲</h1><h2>乙</h2><p>#话题 水</p><h2>丙</h2><p>山</p>'
  const { pieces } = await read(page, 'a.html')
  expect(pieces.map(({ place }) => place.heading)).toEqual([
    ['甲', '乙'],
    ['甲', '丙'],
  ])
})

test('of a web page the article alone can be read', async () => {
  const paragraph =
    '<p>这是正文的一段话，有足够的长度，让人相信它是文章本身，而不是导航。今天天气很好，我们去公园散步。</p>'
  const page = `<html><head><title>新闻</title></head><body><nav><a href="/">首页</a><a href="/x">广告位</a></nav><article><h1>新闻</h1>${paragraph.repeat(10)}</article><footer>版权所有</footer></body></html>`
  const text = textOf(await read(page, 'a.html', { article: true }))
  expect(text).toContain('这是正文的一段话')
  expect(text).not.toContain('广告位')
  expect(text).not.toContain('版权所有')
})

test('an article keeps its formulas and the languages of its code', async () => {
  const paragraph = `<p>${'这是正文的一段话，有足够的长度，让人相信它是文章本身。'.repeat(8)}</p>`
  const formula =
    '<mjx-container class="MathJax CtxtMenu_Attached_0"><math><mi>a</mi><mo>=</mo><mn>0</mn></math></mjx-container>'
  const code = '<pre><code class="language-js">a &lt; b</code></pre>'
  const page = `<html><body><article>${paragraph.repeat(4)}<p>设 ${formula} 为数。</p>${code}</article></body></html>`
  const text = textOf(await read(page, 'a.html', { article: true }))
  expect(text).toContain('$a = 0$')
  expect(text).toContain('```js\na < b\n```')
})

test('a page that is too large for the search of an article is read as a whole', async () => {
  const page = `<nav>导航</nav><article>${'<p>这是正文的一段话，有足够的长度。</p>'.repeat(50_001)}</article>`
  expect(textOf(await read(page, 'a.html', { article: true }))).toContain('导航')
})

test('subtitles are pieces with their times and speakers', async () => {
  const vtt =
    'WEBVTT\n\nNOTE 不读\n\n1\n00:01.000 --> 00:02.500 align:start\n<v 小明>你好 &amp; <i>早</i>\n\n00:03.000 --> 00:04.000\n再见\n\n01:00:00.000 --> 01:00:01.000\n第二段\n'
  expect((await read(vtt, 'a.vtt')).pieces).toEqual([
    { text: '**小明**: 你好 & 早\n\n再见', place: { start_ms: 1000, end_ms: 4000 } },
    { text: '第二段', place: { start_ms: 3_600_000, end_ms: 3_601_000 } },
  ])
  const srt =
    '1\r\n00:00:01,000 --> 00:00:02,000\r\n第一句\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\n{\\an8}第二句\r\n'
  expect(textOf(await read(srt, 'a.srt'))).toBe('第一句\n\n第二句')
})

test('a notebook keeps its text, code and results', async () => {
  const notebook = {
    metadata: { kernelspec: { language: 'python' } },
    cells: [
      { cell_type: 'markdown', source: ['# 分析\n', '说明'] },
      {
        cell_type: 'code',
        source: 'print(1)',
        outputs: [{ text: ['1\n'] }, { data: { 'image/png': 'AA==', 'text/plain': '<图>' } }],
      },
    ],
  }
  const reading = await read(JSON.stringify(notebook), 'a.ipynb')
  expect(textOf(reading)).toBe('# 分析\n\n说明\n\n```python\nprint(1)\n```\n\n```\n1\n```\n\n```\n<图>\n```')
  expect(reading.report.skipped).toMatchObject([{ reason: 'picture' }])
})
