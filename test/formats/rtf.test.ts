import { expect, test } from 'vitest'
import { read, textOf } from './read.ts'

const FONTS = String.raw`{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset134 SimSun;}{\f2\fcharset2 Symbol;}{\f3\fcharset128 Gothic;}{\f4\fcharset129 Batang;}{\f5\fcharset136 MingLiU;}}`
const rtf = (body: string): string => String.raw`{\rtf1\ansi\ansicpg1252\deff0${FONTS}` + body + '}'

test.each<[what: string, body: string, expected: string]>([
  ['characters of Unicode in pairs', String.raw`\u-10179?\u-8704?\u28165?`, '😀清'],
  ['bytes of two charsets', String.raw`caf\'e9 {\f1\'ce\'ca\'c7\'fe}`, 'café 问渠'],
  ['a second byte that is a letter', String.raw`{\f3\'83e\'83X\'83g}`, 'テスト'],
  ['a second byte that is a backslash', String.raw`{\f3\'95\\}`, '表'],
  ['a text for new programs', String.raw`{\upr{old}{\*\ud{\u26032?}}}`, '新'],
  ['signs of a font', String.raw`{\f2 D}x {\f2\u-3933?}`, 'Δx ≤'],
  [
    'paragraphs that end with a backslash',
    String.raw`{\f1\'d6\'d0` + '\\\n' + String.raw`\'b5\'da}` + '\\\r\na{\\*\\foo b\\\nc}b',
    '中\n\n第\n\nab',
  ],
  ['characters that the platform does not decode', String.raw`{\f4\'8c\'63}{\f5\'88\'62}`, '똠Ê̄'],
  ['a group that names itself on a new line', '{\n\\*\\wgrffmtfilter 013f}a', 'a'],
  [
    'bytes of a picture with braces',
    String.raw`a{\pict\wmetafile8\bin5 }}{{\b}}b`.replace('\\b}}', '0}'),
    'ab',
  ],
  ['bytes behind the end', 'a}\u0000\u0001{xyz', 'a'],
  ['a brace too many', String.raw`a\par}b\par`, 'a\n\nb'],
  ['marks', String.raw`10{\super 6} H{\sub 2}O {\strike 100} {\up6 2}x`, '10⁶ H₂O ~~100~~ ²x'],
  ['revisions', String.raw`{\deleted 100}{\revised 200}`, '200'],
  ['entries of an index', String.raw`a{\xe {b}}{\tc {c}}`, 'a'],
  [
    'numbers as they look, at their levels',
    String.raw`\pard\ls1{\listtext \u31532?\u19968?\u31456?\tab}a\par{\listtext\pard\plain 1.1\tab}\pard\ls1\ilvl1 b\par{\pntext\'b7\tab}\pard c\par`,
    '- 第一章 a\n  - 1.1 b\n- c',
  ],
  [
    'headings by the names of styles, with their numbers',
    String.raw`{\stylesheet{\s0 Normal;}{\s3\sbasedon0 heading 2;}{\s4 \'b1\'ea\'cc\'e2 1;}}\pard\s3{\listtext 1.2.\tab}a\par\pard b\par`,
    '### 1.2 a\n\nb',
  ],
  [
    'a fraction and a root',
    String.raw`{\mmath{\*\moMath{\mf{\mfPr{\mtype bar}}{\mnum{\mr\mscr0 a}}{\mden{\mr 2}}}{\mrad{\mradPr{\mdegHide 1}}{\mdeg}{\me{\mr x<y}}}}{\mmathPict old}}`,
    '$\\frac{a}{2}\\sqrt{x<y}$',
  ],
  [
    'fields of a form',
    String.raw`{\field{\*\fldinst FORMCHECKBOX {\*\formfield{\fftype1\ffres1{\*\ffname x}}}}{\fldrslt}}{\field{\*\fldinst FORMDROPDOWN {\*\formfield{\fftype2\ffres25\ffdefres1{\*\ffl a}{\*\ffl b}}}}{\fldrslt old}}{\field{\*\fldinst FORMTEXT}{\fldrslt c}}`,
    '☑bc',
  ],
  ['a field that is its own result', String.raw`{\field{\*\fldinst EQ \\f(1,2)}{\fldrslt old}}`, '1/2'],
  [
    'merged cells',
    String.raw`\trowd\clmgf\cellx1000\clmrg\cellx2000\clvmgf\cellx3000\intbl a\cell\cell b\cell\row\trowd\cellx1000\cellx2000\clvmrg\cellx3000\intbl c\cell d\cell\cell\row`,
    '| a | a | b |\n| --- | --- | --- |\n| c | d | b |',
  ],
  [
    'a table in a cell',
    String.raw`\trowd\cellx1\cellx2\intbl\itap2 a\nestcell b\nestcell{\*\nesttableprops\trowd\cellx9\nestrow}{\nonesttables\par old}\pard\intbl c\cell d\cell\row`,
    '| a b<br>c | d |\n| --- | --- |',
  ],
  [
    'headers, notes, comments and boxes',
    String.raw`{\header A\par}{\headerf A\par}{\footer B\par}c{\footnote d}{\*\atnauthor e}{\*\annotation f}{\shp{\*\shpinst{\shptxt g\par}}}\par h`,
    'A\n\nc[^1]\n\n> 批注（e）：f\n\ng\n\nh\n\nB\n\n[^1]: d',
  ],
  [
    'tables in headers and notes, and names like tags, escaped once',
    String.raw`{\header\trowd\cellx1\cellx2\intbl A\cell B\cell\row}c{\footnote d\par\trowd\cellx1\cellx2\intbl e\cell f\cell\row}{\*\atnauthor <x>}{\*\annotation g}{\field{\*\fldinst FORMDROPDOWN {\*\formfield{\fftype2\ffres0{\*\ffl <y>}}}}{\fldrslt}}`,
    'A B\n\nc[^1]\\<y>\n\n> 批注（\\<x>）：g\n\n[^1]: d e f',
  ],
])('rich text has %s', async (_, body, expected) => {
  expect(textOf(await read(Buffer.from(rtf(body), 'latin1'), 'a.rtf'))).toBe(expected)
})

test('hidden text and embedded objects of rich text are reported', async () => {
  const body = String.raw`a {\v b}{\object\objemb{\*\objdata 00}{\result c}}`
  const reading = await read(rtf(body), 'a.rtf')
  expect(textOf(reading)).toBe('a bc')
  expect(reading.report.skipped).toMatchObject([
    { reason: 'unsupported' },
    { reason: 'hidden', what: '文字 b' },
  ])
})

test('rich text that nests without end is read to its end', async () => {
  const deep = String.raw`{\*\moMath` + '{\\mrad{\\mdeg'.repeat(20_000) + 'x'
  expect(textOf(await read(rtf(`${'{'.repeat(5000)}a${'}'.repeat(5000)}b${deep}`), 'a.rtf'))).toContain('ab')
})

/** Destinations with text of the document (Rich Text Format 1.9.1, appendix B), as programs write them. */
const SHOWN = String.raw`header headerl headerr headerf footer footerl footerr footerf footnote *\annotation *\shptxt *\dptxbxtext *\do listtext pntext fldrslt result *\mr *\mtext *\mnum *\mden *\me *\msup *\msub`
/** Destinations without any: tables of the file, names, rules, what is drawn elsewhere, and entries of indexes that are text already. */
const UNSHOWN = String.raw`fonttbl colortbl stylesheet info *\listtable *\listoverridetable *\revtbl *\rsidtbl *\generator *\userprops *\docvar *\bkmkstart *\bkmkend *\fldinst *\atnid *\atndate *\objdata *\objclass *\objname *\themedata *\datastore *\latentstyles *\xmlnstbl *\falt *\panose *\blipuid *\picprop *\template *\passwordhash *\ftnsep *\ftncn *\aftnsep xe tc rxe`

test.each([
  ...SHOWN.split(' ').map((name) => [name, true] as const),
  ...UNSHOWN.split(' ').map((name) => [name, false] as const),
])('the text of the destination %s is read: %s', async (name, isRead) => {
  const reading = await read(`{\\rtf1\\ansi one {\\${name} words} two\\par}`, 'a.rtf')
  expect(textOf(reading).includes('words')).toBe(isRead)
})
