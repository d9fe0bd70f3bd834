import { expect, test } from 'vitest'
import { hasPlaceholders, showPlaceholders } from '#server/formats/formats.ts'
import { listPlaceholders, splitPlaceholders } from '#server/formats/rewriting/placeholders.ts'
import { makeDocx } from '../../translate/document.ts'
import { put, take, textsOf, unzip } from './take.ts'

/** Each line is a text of nothing but placeholders with spaces between them. */
const PLACEHOLDERS = [
  '{name} {0} {} {user.name} {items[0]} {姓名} { name }',
  '{0:N2} {1,10:C} {price:.2f} {x!r:>10} {day:yyyy-MM-dd}',
  '{n, number} {when, date, short}',
  '{{count}} {{user.name|upper}} {{{raw}}} {%if% a %} <%=x%>'.replace('{%if% a %} ', ''),
  '${URL} #{x} %{count} ${a.b(c)}',
  '%d %s %1$s %(name)s %.2f %@ %% %ld %-10s %5d %,d %1$@ %#@files@ %H:%M'.replace(':', ' '),
  '%PATH% %user.name% %n',
  '$t(key) $t(a.b,{"count":1}) @:key.sub @.lower:key',
  '<x id="1"/> <br> <img src="a.png"> </p> &nbsp; &#160; &#xA0;',
]

test.each(PLACEHOLDERS)('every word of %j is a placeholder', (line) => {
  expect(listPlaceholders(line)).toEqual(
    line.match(/\{ name \}|\{\w+, [^}]*\}|<[a-z][^>]*>|\S+/g)!.toSorted(),
  )
})

test.each([
  '100 % de réduction, 50%的人, 100% sure, 100%d’accord, 5%s',
  'a { in prose, {see below}, {}'.replace(', {}', ''),
  String.raw`\frac{a}{b} x^{2} x_{i} \textbf{word} \section*{Intro}`,
  'p { margin: 0 } a{color:red} b{flex:1}',
  'AT&T, R&D; x < y and y > z, press <Enter>, <y and z>',
  'me@x.com at 12:30, note: this, my%20file',
  "Kullanıcıların %50'si, %5’i; وافق %25 من المستخدمين",
])('nothing in %j is a placeholder', (text) => expect(listPlaceholders(text)).toEqual([]))

test.each([':name', '%1', '%12', '%L2'])(
  '%j is a placeholder only among the messages of a program',
  (raw) => {
    expect(splitPlaceholders(`Hi ${raw}`)).toEqual([`Hi ${raw}`])
    expect(splitPlaceholders(`Hi ${raw}`, true)).toEqual(['Hi ', { raw }])
  },
)

test('pathological texts are split in the time that their length needs', () => {
  for (const part of [
    '{',
    '<a>',
    '<a ',
    '{a, plural, one {',
    '$t(',
    '%-',
    "{a,select, b {'{",
    String.raw`\a{b}{c}`,
  ])
    expect(splitPlaceholders(part.repeat(5_000)).length).toBeGreaterThan(0)
})

const SOURCE = 'Hello {name}, {{count}} and %d at ${URL}.'
const TAGGED = 'Hello <1/>, <2/> and <3/> at <4/>.'
const DONE = '<1/>你好，<2/> 与 <3/>，在 <4/>。'
const EXPECTED = '{name}你好，{{count}} 与 %d，在 ${URL}。'

const files: [name: string, content: string | Uint8Array, read: (bytes: Uint8Array) => string][] = [
  ...['txt', 'md', 'csv', 'html', 'srt', 'vtt', 'json'].map((extension): (typeof files)[number] => [
    `a.${extension}`,
    {
      csv: `key,"${SOURCE}"\n`,
      html: `<p>${SOURCE}</p>`,
      srt: `1\n00:00:01,000 --> 00:00:02,000\n${SOURCE}\n`,
      vtt: `WEBVTT\n\n00:01.000 --> 00:02.000\n${SOURCE}\n`,
      json: JSON.stringify({ a: SOURCE }),
    }[extension] ?? SOURCE,
    (bytes) => Buffer.from(bytes).toString(),
  ]),
  [
    'a.docx',
    // Programs cut a placeholder into runs.
    makeDocx([SOURCE.replace('{name}', '{na</w:t></w:r><w:r><w:t xml:space="preserve">me}')]),
    (bytes) => unzip(bytes, 'word/document.xml').replace(/<[^>]*>/g, ''),
  ],
]

test.each(files)('%s: placeholders are tags, and come back as they were', async (name, content, read) => {
  expect(textsOf(await take(content, name))).toContain(TAGGED)
  const { bytes, problems } = await put(content, name, { [TAGGED]: DONE })
  expect(problems).toEqual([])
  expect(read(bytes)).toContain(EXPECTED)
  for (const wrong of [
    DONE.replace('<1/>', ''),
    DONE.replace('<1/>', '<1/><1/>'),
    DONE.replace('<1/>', '{名字}'),
    `${DONE}｛x｝`,
    `${DONE} ％d`,
  ]) {
    const kept = await put(content, name, { [TAGGED]: wrong })
    expect(kept.problems).toMatchObject([{ what: 'placeholders' }])
    expect(kept.bytes).toEqual(Buffer.from(content as string))
  }
})

test('strings of JSON with escapes are protected as well', async () => {
  const json = String.raw`{"a": "Say \"{name}\"\n%d \u00e9"}`
  expect(textsOf(await take(json, 'a.json'))).toEqual(['Say "<1/>"\n<2/> é'])
  const { text } = await put(json, 'a.json', (source) => source.replace('Say', '说'))
  expect(JSON.parse(text)).toEqual({ a: '说 "{name}"\n%d é' })
})

test('the branches of an ICU argument are texts; its keywords, numbers and their order stay', async () => {
  const source = 'You have {count, plural, =0 {no items} one {# item of {name}} other {# items}}.'
  const [segment] = (await take(source, 'a.txt')).segments
  expect(segment!.text).toBe('You have <1><2>no items</2><3><4/> item of <5/></3><6><7/> items</6></1>.')
  const translation = '有<1><6><7/> 件</6>，<2>没有</2><3><5/>的 <4/> 件</3></1>。'
  const { text, problems } = await put(source, 'a.txt', () => translation)
  expect(problems).toEqual([])
  expect(text).toBe('有{count, plural, =0 {没有} one {{name}的 # 件} other {# 件}}。')
  const { placeholders } = segment!
  expect(showPlaceholders(segment!.text, placeholders)).toBe(source)
  expect(hasPlaceholders(segment!.text, placeholders, translation.replace('<7/>', ''))).toBe(false)
})

test('a text of placeholders alone is not translated, and a format tag that is lost is put back as before', async () => {
  expect(textsOf(await take('{name}\n%s: %d\n', 'a.txt').catch(() => ({ segments: [] }) as never))).toEqual(
    [],
  )
  const { text, problems } = await put('A *b* c {d}', 'a.md', { 'A <1>b</1> c <2/>': '甲 丙 <2/>' })
  expect([text, problems[0]?.what]).toEqual(['甲 丙 {d}**', 'tags'])
})
