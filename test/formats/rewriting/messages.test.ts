import { expect, test } from 'vitest'
import { read, textOf } from '../read.ts'
import { mark, put, reasonsOf, take, textsOf } from './take.ts'

const HEADER = `msgid ""
msgstr ""
"Project-Id-Version: x\\n"
"Language: de\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
`
const PO = `# Head
${HEADER}
#. note
#: a.c:1
#, c-format
msgid "Hello %s, \\"you\\"\\n"
msgstr ""

msgctxt "menu"
msgid ""
"First line\\n"
"second"
msgstr ""

#, fuzzy, c-format
#| msgid "Old"
msgid "New %d"
msgstr "Alt %d"

msgid "Done"
msgstr "Fertig"

#~ msgid "Gone"
#~ msgstr ""
`

test('a PO file has its open and fuzzy entries translated; all other bytes stay', async () => {
  const taken = await take(PO, 'a.po', 'zh-CN')
  expect(textsOf(taken)).toEqual(['Hello <1/>, "you"', 'First line\nsecond', 'New <1/>'])
  expect(taken.segments.map(({ place }) => place.line)).toEqual([12, 16, 23])
  const same = await put(PO, 'a.po', (text) => text, 'translated', 'zh-CN')
  expect(same.text).toBe(PO)
  for (const mode of ['translated', 'bilingual'] as const) {
    const { text, name } = await put(
      PO,
      'a.po',
      { 'Hello <1/>, "you"': '<1/>，“你”', 'First line\nsecond': '一\n二', 'New <1/>': '新 <1/>' },
      mode,
      'zh-CN',
    )
    expect(name).toBe('a.po')
    expect(text).toBe(
      PO.replace('Language: de', 'Language: zh_CN')
        .replace('nplurals=2; plural=(n != 1);', 'nplurals=1; plural=0;')
        .replace('\\n"\nmsgstr ""\n\nmsgctxt', '\\n"\nmsgstr "%s，“你”\\n"\n\nmsgctxt')
        .replace('"second"\nmsgstr ""', '"second"\nmsgstr ""\n"一\\n"\n"二"')
        .replace('#, fuzzy, c-format\n#| msgid "Old"\n', '#, c-format\n')
        .replace('Alt %d', '新 %d'),
    )
  }
})

const PLURALS = 'msgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] ""\nmsgstr[1] ""\n'
const TEMPLATE = `#, fuzzy
msgid ""
msgstr ""
"Content-Type: text/plain; charset=CHARSET\\n"
"Plural-Forms: nplurals=INTEGER; plural=EXPRESSION;\\n"

${PLURALS}`

test.each([
  ['zh-CN', ['<1/> files'], 'msgstr[0] "⟦%d files⟧"\n'],
  ['de', ['<1/> file', '<1/> files'], 'msgstr[0] "⟦%d file⟧"\nmsgstr[1] "⟦%d files⟧"\n'],
  [
    'ru',
    ['<1/> file', '<1/> files'],
    'msgstr[0] "⟦%d file⟧"\nmsgstr[1] "⟦%d files⟧"\nmsgstr[2] "⟦%d files⟧"\n',
  ],
] as const)('a template gets the plural forms of its language: %s', async (language, texts, forms) => {
  expect(textsOf(await take(TEMPLATE, 'a.pot', language))).toEqual(texts)
  const { text, name } = await put(TEMPLATE, 'a.pot', mark, 'translated', language)
  expect(name).toBe('a.po')
  expect(text.endsWith(`"%d files"\n${forms}`)).toBe(true)
  expect(text.startsWith('msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n')).toBe(true)
  expect(text).toContain(`"Language: ${language.replace('-', '_')}\\n"`)
  expect(text).not.toContain('INTEGER')
})

test('a PO file with its own plural forms keeps them, and its translations; its reading has both languages', async () => {
  const po = `${HEADER.replace('Language: de', 'Language: ru').replace('nplurals=2', 'nplurals=4')}
msgid "%d file"
msgid_plural "%d files"
msgstr[0] "%d файл"
msgstr[1] ""
msgstr[2] ""
msgstr[3] ""
`
  const taken = await take(po, 'a.po', 'ru')
  expect(reasonsOf(taken)).toEqual(['plural_forms'])
  const { text } = await put(po, 'a.po', mark, 'translated', 'ru')
  expect(text).toBe(po.replaceAll('] ""', '] "⟦%d files⟧"'))
  expect(textOf(await read(po, 'a.po'))).toBe('%d file / %d files  \n%d файл')
})

test.each([
  [
    'fields that go over several lines',
    `""\n"Language: ru\\n"\n"Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n"\n"%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);\\n"\n"X-Foo: b\\n"`,
    `""\n"Language: zh_CN\\n"\n"Plural-Forms: nplurals=1; plural=0;\\n"\n"X-Foo: b\\n"`,
  ],
  [
    'all fields in one line',
    String.raw`"Language: en\nContent-Type: text/plain; charset=UTF-8\nX-Foo: b\n"`,
    `""\n"Language: zh_CN\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n"X-Foo: b\\n"`,
  ],
  ['no end of its last field', '"X-Foo: b"', `""\n"X-Foo: b\\n"\n"Language: zh_CN\\n"`],
  ['no field', '""', String.raw`"Language: zh_CN\n"`],
  [
    'nothing to change in it',
    String.raw`"Language: zh_CN\nX-Foo: b\n"`,
    String.raw`"Language: zh_CN\nX-Foo: b\n"`,
  ],
])('the header of a PO file with %s keeps its other fields', async (_, header, expected) => {
  const write = (head: string, translation: string): string =>
    `msgid ""\nmsgstr ${head}\n\nmsgid "One"\nmsgstr "${translation}"\n`
  const { text } = await put(write(header, ''), 'a.po', { One: '一' }, 'translated', 'zh-CN')
  expect(text).toBe(write(expected, '一'))
})

test('a PO file in an encoding that lacks the translation becomes UTF-8 and says so', async () => {
  const po = Buffer.from(
    `${HEADER.replace('UTF-8', 'ISO-8859-1')}\nmsgid "caf\xe9 one"\nmsgstr ""\n`,
    'latin1',
  )
  const { text } = await put(po, 'a.po', { 'café one': '咖啡' }, 'translated', 'zh-CN')
  expect(text).toContain('charset=UTF-8')
  expect(text).toContain('msgid "café one"\nmsgstr "咖啡"')
})

const ASS = `[Script Info]\r
Title: Words here\r
[V4+ Styles]\r
Style: Default,Arial,20\r
[Events]\r
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\r
Comment: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,A note\r
Dialogue: 0,0:00:01.00,0:00:02.50,Default,Ann,0,0,0,,{\\i1}Hello{\\i0}, you\\Nand\\hme\r
Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\p1}m 0 0 l 100 0{\\p0}Drawn\r
Dialogue: 0,0:00:05.00,0:00:06.00,Default,,0,0,0,,{\\p1}m 0 0 l 1 b\r
`

test('the dialogue of ASS is translated; overrides, breaks, drawings, comments and styles stay', async () => {
  const taken = await take(ASS, 'a.ass')
  expect(taken.segments).toEqual([
    { n: 1, text: 'Hello<1/>, you<2/>and<3/>me', place: { start_ms: 1000, end_ms: 2500 } },
    { n: 2, text: 'Drawn', place: { start_ms: 3000, end_ms: 4000 } },
  ])
  expect((await put(ASS, 'a.ssa', mark)).text.replace(/[⟦⟧]/g, '')).toBe(ASS)
  const words = { 'Hello<1/>, you<2/>and<3/>me': '你好<1/>，你<2/>和<3/>我', Drawn: '画\n{x}' }
  expect((await put(ASS, 'a.ass', words)).problems.map(({ what }) => what)).toEqual(['placeholders'])
  const { text } = await put(ASS, 'a.ass', { ...words, Drawn: '画\n好' })
  expect(text).toBe(
    ASS.replace('Hello{\\i0}, you\\Nand\\hme', '你好{\\i0}，你\\N和\\h我').replace('Drawn', '画\\N好'),
  )
  const both = await put(ASS, 'a.ass', { Drawn: '画' }, 'bilingual')
  expect(both.text).toBe(ASS.replace('Drawn', 'Drawn\\N画'))
  expect(textOf(await read(ASS, 'a.ass'))).toBe('**Ann**: Hello, you and me\n\nDrawn')
})

const XLIFF1 = `<?xml version="1.0"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file source-language="en" datatype="plaintext"><body>
    <trans-unit id="1">
      <source>Hi <g id="1">big</g> <x id="2"/>{name} &amp; <ph id="3">code</ph></source>
    </trans-unit>
    <trans-unit id="2"><source>Old one</source><target state="needs-translation">Old one</target></trans-unit>
    <trans-unit id="3"><source>Done</source><target state="final">Fertig</target></trans-unit>
    <trans-unit id="4"><source>Kept</source><target>Gelassen</target></trans-unit>
    <trans-unit id="5" translate="no"><source>Brand</source></trans-unit>
    <trans-unit id="6"><source>Two. Three.</source><seg-source><mrk mtype="seg" mid="1">Two.</mrk> <mrk mtype="seg" mid="2">Three.</mrk></seg-source><alt-trans><source>x</source><target>y</target></alt-trans></trans-unit>
  </body></file>
</xliff>
`

test('XLIFF 1.2 gets targets with the inline elements, the state and the language; final ones stay', async () => {
  const taken = await take(XLIFF1, 'a.xlf', 'zh-CN')
  const [first, second, third] = textsOf(taken)
  expect(textsOf(taken)).toEqual([
    'Hi <1>big</1> <2/><3/> &amp; <4/>',
    'Old one',
    '<1>Two.</1> <2>Three.</2>',
  ])
  expect(reasonsOf(taken)).toEqual(['marked'])
  expect((await put(XLIFF1, 'a.xlf', (text) => text, 'translated', 'zh-CN')).text).toBe(XLIFF1)
  const { text } = await put(
    XLIFF1,
    'a.xlf',
    { [first!]: '<3/><1>大</1>嗨 <2/>&amp;<4/>', [second!]: '旧', [third!]: '<1>二</1><2>三</2>' },
    'bilingual',
    'zh-CN',
  )
  expect(text).toBe(
    XLIFF1.replace('source-language="en"', 'source-language="en" target-language="zh-CN"')
      .replace(
        '</ph></source>',
        '</ph></source>\n      <target state="translated">{name}<g id="1">大</g>嗨 <x id="2"/>&amp;<ph id="3">code</ph></target>',
      )
      .replace('state="needs-translation">Old one', 'state="translated">旧')
      .replace(
        '</seg-source>',
        '</seg-source><target state="translated"><mrk mtype="seg" mid="1">二</mrk><mrk mtype="seg" mid="2">三</mrk></target>',
      ),
  )
  expect(textOf(await read(XLIFF1, 'a.xliff'))).toContain('Done  \nFertig')
})

test('XLIFF 2 gets targets, the state of the segment and the language of the document', async () => {
  const xliff = `<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" trgLang="de"><file id="f"><unit id="1"><segment><source>A <pc id="1">b</pc><ph id="2"/></source></segment><segment state="initial"><source>C</source><target/></segment><segment state="final"><source>D</source><target>E</target></segment></unit><unit id="2" translate="no"><segment><source>F</source></segment></unit></file></xliff>`
  expect(textsOf(await take(xliff, 'a.xliff', 'fr'))).toEqual(['A <1>b</1><2/>', 'C'])
  const { text } = await put(xliff, 'a.xliff', mark, 'translated', 'fr')
  expect(text).toBe(
    xliff
      .replace('trgLang="de"', 'trgLang="fr"')
      .replace(
        '<segment><source>A <pc id="1">b</pc><ph id="2"/></source>',
        '<segment state="translated"><source>A <pc id="1">b</pc><ph id="2"/></source><target>⟦A <pc id="1">b</pc><ph id="2"/>⟧</target>',
      )
      .replace(
        'state="initial"><source>C</source><target/>',
        'state="translated"><source>C</source><target>⟦C⟧</target>',
      ),
  )
})

test('values of .strings are translated in their encoding; keys, comments and escapes stay', async () => {
  const strings = `/* "A" = "note"; */\n"greet %@" = "Hello \\"%@\\"\\n\\U0041";\n// x = "y";\nbare_key = "Bare";\n'q' = 'Q';\n`
  const bytes = Buffer.from(`\uFEFF${strings}`, 'utf16le')
  const taken = await take(bytes, 'a.strings')
  expect(taken.segments.map(({ text, place }) => [text, place.line])).toEqual([
    ['Hello "<1/>"\nA', 2],
    ['Bare', 4],
    ['Q', 5],
  ])
  const done = await put(bytes, 'a.strings', { 'Hello "<1/>"\nA': '你好“<1/>”\n"甲"', Bare: '光' })
  expect(Buffer.from(done.bytes).toString('utf16le')).toBe(
    `\uFEFF${strings.replace('Hello \\"%@\\"\\n\\U0041', '你好“%@”\\n\\"甲\\"').replace('Bare', '光')}`,
  )
  expect(textOf(await read(strings, 'a.strings'))).toContain('Bare  \nbare_key')
})

test('the forms of .stringsdict are translated, its keys and types are not', async () => {
  const source =
    '<plist version="1.0"><dict><key>n files</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@files@ left</string><key>files</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string><key>one</key><string>%d file</string><key>other</key><string>%d files</string></dict></dict></dict></plist>'
  expect(textsOf(await take(source, 'a.stringsdict'))).toEqual(['<1/> left', '<1/> file', '<1/> files'])
  expect((await put(source, 'a.stringsdict', mark)).text.replace(/[⟦⟧]/g, '')).toBe(source)
})

test('the messages of an ARB file are translated with their ICU arguments; what is about them stays', async () => {
  const arb = `{
  "@@locale": "en",
  "title": "Type",
  "@title": { "description": "A note", "placeholders": { "n": { "type": "int" } } },
  "n": "{n, plural, one{# file} other{# files}} of {name}"
}
`
  expect(textsOf(await take(arb, 'a.arb'))).toEqual([
    'Type',
    '<1><2><3/> file</2><4><5/> files</4></1> of <6/>',
  ])
  expect((await put(arb, 'a.arb', (text) => text, 'translated', 'zh-CN')).text).toBe(arb)
  const { text } = await put(
    arb,
    'a.arb',
    (source) => source.replace('Type', '类型').replace('files', '个文件').replace(' of', '：'),
    'translated',
    'zh-CN',
  )
  expect(text).toBe(
    arb.replace('"en"', '"zh_CN"').replace('"Type"', '"类型"').replace('files}} of', '个文件}}：'),
  )
})
