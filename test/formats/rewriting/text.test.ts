import { expect, test } from 'vitest'
import { mark, put, reasonsOf, take, textsOf } from './take.ts'

/** Expects that a file with every text marked is the same without the marks. */
async function expectSame(source: string, name: string): Promise<void> {
  expect((await put(source, name, mark)).text.replace(/[⟦⟧]/g, '')).toBe(source)
}

const MARKDOWN = `---
title: "My notes"
date: 2026-01-01
---
# Big *news* #

Read [the **guide**](https://a.example/(b) "Link title") and \`npm i\`,
or ask <https://b.example>. See [docs] and ![A cat](cat.png)[^1].

> Quoted text
> goes on

- [ ] First item
  with more
- Second item

    | Name | Value \\| x |
1. One \\* two

| Name | \`a|b\` text |
|------|:-----:|
| Cell | 12 |

Heading two
-----------

\`\`\`js
const hidden = 'text'
\`\`\`

<div>Some <b>bold</b> words</div>

    code here

[docs]: https://docs.example
[^1]: A note here
2*3*4 and a * b $x^2$ end
`

test('Markdown is translated block by block; code, addresses, definitions and marks stay', async () => {
  const taken = await take(MARKDOWN, 'a.md')
  expect(textsOf(taken)).toEqual([
    'My notes',
    'Big <1>news</1>',
    'Link title',
    'A cat',
    'Read <1>the <2>guide</2></1> and <3/>, or ask <4/>. See <5/> and <6/><7/>.',
    'Quoted text goes on',
    'First item with more',
    'Second item',
    '| Name | Value \\| x |',
    'One \\* two',
    'Name',
    'text',
    'Cell',
    'Heading two',
    'Some <1>bold</1> words',
    'A note here 2<1>3</1>4 and a * b <2/> end',
  ])
  expect(taken.segments[5]?.place).toEqual({ line: 10, heading: ['Big *news*'] })
  expect(reasonsOf(taken)).toEqual(['code'])
  // A paragraph of several lines becomes one.
  const oneLine = (text: string): string => text.replace(/(?<=\S)\n[ >]*(?=\w)/g, ' ')
  const same = (await put(MARKDOWN, 'a.md', mark)).text.replace(/[⟦⟧]/g, '')
  expect(oneLine(same)).toBe(oneLine(MARKDOWN))
  const done = await put(MARKDOWN, 'a.md', {
    'Read <1>the <2>guide</2></1> and <3/>, or ask <4/>. See <5/> and <6/><7/>.':
      '- 见 <5/>、<6/><7/>，<3/> 和<1><2>指南</2></1>，问 <4/>',
    'Quoted text goes on': '引用的话',
    'Link title': '"链接"',
    Cell: '格|子',
  })
  expect(done.text).toContain(
    '\n\n\\- 见 [docs]、![A cat](cat.png)[^1]，`npm i` 和[**指南**](https://a.example/(b) "链接")，问 <https://b.example>\n\n> 引用的话\n\n',
  )
  expect(done.text).toContain('| 格\\|子 | 12 |')
})

test('boxes have their titles translated, tables drawn of characters and code in quotes stay', async () => {
  const source = [
    '::: tip Heads up\nBoxed text\n:::',
    '+-----+-----+\n| One | Two |\n+=====+=====+\n| a   | b   |\n+-----+-----+',
    '> Quoted\n>\n>     sub status { print "working" }\n>\n> goes on',
  ].join('\n\n')
  const taken = await take(source, 'a.md')
  expect(textsOf(taken)).toEqual(['Heads up', 'Boxed text', 'Quoted', 'goes on'])
  expect(reasonsOf(taken)).toEqual(['drawn_table', 'code'])
  await expectSame(source, 'a.md')
})

test('in two languages a paragraph of Markdown is followed by its translation', async () => {
  const { text } = await put(
    '# A title\n\nOne *two*.\n\n- item\n',
    'a.md',
    { 'A title': '标题', 'One <1>two</1>.': '一<1>二</1>。', item: '项' },
    'bilingual',
  )
  expect(text).toBe('# A title / 标题\n\nOne *two*.\n\n一*二*。\n\n- item<br>项\n')
})

test('lines of plain text are texts; lines that were broken to fit a page are one, and are broken again', async () => {
  const wrapped = [
    'It was a bright cold day in April, and the clocks were',
    'striking thirteen. Winston Smith, his chin nuzzled into',
    'his breast in an effort to escape the vile wind, slipped.',
  ]
  const source = `Chapter One\r\n\r\n  ${wrapped.join('\r\n')}\r\n* a list of {count} files\r\n`
  const taken = await take(source, 'a.txt')
  expect(textsOf(taken)).toEqual(['Chapter One', wrapped.join(' '), '* a list of <1/> files'])
  expect(taken.segments.map(({ place }) => place.line)).toEqual([1, 3, 6])
  const { text } = await put(source, 'a.txt', {
    [wrapped.join(' ')]: '四月里，天气晴朗却又寒冷，时钟敲了十三下。',
    '* a list of <1/> files': '* <1/> 个文件',
  })
  expect(text).toBe(
    'Chapter One\r\n\r\n  四月里，天气晴\r\n朗却又寒冷，时\r\n钟敲了十三下。\r\n* {count} 个文件\r\n',
  )
  await expectSame(source.replace(/ {2}It.*slipped\.\r\n/s, ''), 'a.txt')
})

test('plain text keeps its encoding and its byte order mark; what it cannot write makes it UTF-8', async () => {
  const gbk = Buffer.from('c4e3bac30d0a', 'hex')
  const bytes = Buffer.from((await put(gbk, 'a.txt', { 你好: '世界' })).bytes)
  expect(bytes.toString('hex')).toBe('cac0bde70d0a')
  const wide = Buffer.from('\uFEFFHello', 'utf16le')
  expect(Buffer.from((await put(wide, 'a.txt', { Hello: '你好' })).bytes)).toEqual(
    Buffer.from('\uFEFF你好', 'utf16le'),
  )
  const narrow = Buffer.from('caf\xe9 d\xe9j\xe0 vu', 'latin1')
  expect((await put(narrow, 'a.txt', { 'café déjà vu': '似曾相识 café' })).text).toBe('似曾相识 café')
})

test('cues of subtitles are translated; numbers, times, styles and notes stay', async () => {
  const vtt = `WEBVTT - title\n\nNOTE a comment\n\n1\n00:00:01.000 --> 00:00:02.500 align:start\n<v Ann>Hi, <i>you</i>\nover there &amp; here\n\n00:00:03.000 --> 00:00:04.000\n123\n`
  const taken = await take(vtt, 'a.vtt')
  expect(taken.segments).toEqual([
    { n: 1, text: 'Hi, <1>you</1><2/>over there &amp; here', place: { start_ms: 1000, end_ms: 2500 } },
  ])
  await expectSame(vtt, 'a.vtt')
  const { text } = await put(vtt, 'a.vtt', {
    'Hi, <1>you</1><2/>over there &amp; here': '嗨，<1>你</1><2/>--> 那边 & 这边',
  })
  expect(text).toBe(vtt.replace('Hi, <i>you</i>\nover there &amp; here', '嗨，<i>你</i>\n→ 那边 &amp; 这边'))
  const srt =
    '1\r\n00:00:01,000 --> 00:00:02,000\r\n{\\an8}Hello\r\nworld\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nBye\r\n'
  expect(textsOf(await take(srt, 'a.srt'))).toEqual(['Hello<1/>world', 'Bye'])
  expect((await put(srt, 'a.srt', { Bye: '再见' }, 'bilingual')).text).toBe(srt.replace('Bye', 'Bye\r\n再见'))
})

test('the words of a table are translated; numbers, formulas, quotes and separators stay', async () => {
  const csv = 'Name; "Note; ""long"""\r\nAnn;12,5\r\n"Bob";=A1&"x"\r\n'
  const taken = await take(csv, 'a.csv')
  expect(taken.segments).toEqual([
    { n: 1, text: 'Name', place: { range: 'A1' } },
    { n: 2, text: 'Note; "long"', place: { range: 'B1' } },
    { n: 3, text: 'Ann', place: { range: 'A2' } },
    { n: 4, text: 'Bob', place: { range: 'A3' } },
  ])
  expect(reasonsOf(taken)).toEqual(['formula_text'])
  const { text } = await put(csv, 'a.csv', { Name: '姓;名', 'Note; "long"': '"长"', Bob: '鲍勃' })
  expect(text).toBe('"姓;名"; """长"""\r\nAnn;12,5\r\n"鲍勃";=A1&"x"\r\n')
  await expectSame(csv, 'a.csv')
})

test('the texts of JSON are translated; keys, names for programs, escapes and layout stay', async () => {
  const json =
    '{ "title" : "Hello, {name}!",\n  "id": "Hello there", "url": "https://a.example", "n": 1,\n\t"list": ["A \\"quoted\\" word", "en-US", "btn_ok", "2026-01-01"], "e": "\\u4f60\\u597d" }\n'
  const taken = await take(json, 'a.json')
  expect(textsOf(taken)).toEqual(['Hello, <1/>!', 'A "quoted" word', '你好'])
  expect(taken.segments.map(({ place }) => place.line)).toEqual([1, 3, 3])
  expect(taken.kept.map(({ reason, what, count }) => [reason, what, count])).toEqual([
    ['identifier', 'id', 1],
    ['identifier', 'list', 2],
  ])
  const { text } = await put(json, 'a.json', {
    'Hello, <1/>!': '<1/>，你好！',
    'A "quoted" word': '一个“词”\n"x"',
    你好: '你好',
  })
  expect(text).toBe(
    json.replace('Hello, {name}!', '{name}，你好！').replace('A \\"quoted\\" word', '一个“词”\\n\\"x\\"'),
  )
  expect(JSON.parse(text)).toHaveProperty('title', '{name}，你好！')
})
