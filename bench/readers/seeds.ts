import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { makeZip } from '#test/formats/make-container.ts'

/** An intact file, of which mutants are made. */
export type Seed = { name: string; bytes: Buffer }

/** Larger seeds make few mutants a second. */
const MAX_BYTES = 300_000

const EXTENSIONS =
  'pdf,docx,docm,xlsx,xlsm,pptx,doc,xls,ppt,odt,ods,odp,rtf,epub,html,htm,xhtml,eml,mht,mhtml,msg,zip,md,txt,json,jsonl,ndjson,csv,tsv,srt,vtt,ass,ipynb,po,xliff,xlf,strings,arb,asciidoc,xml,yaml,py,jpg,jpeg,png,gif,bmp,webp'

/** Lists the files of these folders by extension, and files of the formats that published data sets do not have. */
export function listSeeds(folders: string[]): Map<string, Seed[]> {
  const patterns = folders.map((folder) => join(folder, `**/*.{${EXTENSIONS}}`))
  const files = globSync(patterns, { exclude: ['**/groundtruth/**', '**/node_modules/**'] }).map((path) => ({
    name: basename(path),
    bytes: readFileSync(path),
  }))
  const seeds = [...files, ...listWritten()].filter(
    ({ bytes }) => bytes.length > 0 && bytes.length <= MAX_BYTES,
  )
  return Map.groupBy(seeds, ({ name }) => (/[^.]+$/.exec(name)?.[0] ?? '').toLowerCase())
}

/** Text in GBK: 合同金额，单价 and a line end. */
const GBK = 'bacfcdacbdf0b6eea3acb5a5bcdb0a'

const TEXTS: Record<string, string> = {
  'a.rtf': String.raw`{\rtf1\ansi\ansicpg936\deff0{\fonttbl{\f0\fcharset134 SimSun;}{\f1\fcharset0 Arial;}}{\colortbl;\red0\green0\blue0;}{\stylesheet{\s1\outlinelevel0 heading 1;}}{\info{\title Report}}{\header Page \chpgn}\pard\s1\b Title\b0\par\pard\f0\'ba\'cf\'cd\'ac\u21512?\uc1\par{\*\listtable{\list\listid1{\listlevel\levelnfc0{\leveltext\'02\'00.;}}}}{\pntext 1.\tab}One\par\trowd\cellx1000\cellx2000\intbl A\cell B\cell\row\trowd\clmgf\cellx1000\clmrg\cellx2000\intbl {\strike C}\cell\cell\row\pard{\field{\*\fldinst HYPERLINK "http://a.cn"}{\fldrslt link}}{\footnote note}{\super 2}{\pict\pngblip 89504e47}\par}`,
  'a.srt':
    '1\n00:00:01,000 --> 00:00:02,500\n<i>First</i> line\n第二行\n\n2\n00:00:03,000 --> 00:00:04,000\n{\\an8}Second\n',
  'a.ass':
    '[Script Info]\nTitle: Film\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname\nStyle: Default,Arial\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: 0,0:00:01.00,0:00:02.50,Default,Ann,0,0,0,,{\\i1}Hello\\Nworld, again\nComment: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,hidden\n',
  'a.po':
    'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n#: src/a.c:10\n#, c-format\nmsgctxt "menu"\nmsgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] "%d 个文件"\n\n#~ msgid "Old"\n#~ msgstr "旧"\n',
  'a.xliff':
    '<?xml version="1.0"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" source-language="en" target-language="zh" datatype="plaintext"><body><group id="g"><trans-unit id="1"><source>Hello <g id="1">world</g><x id="2"/></source><target>你好</target><note>Greeting</note></trans-unit></group></body></file></xliff>',
  'b.xliff':
    '<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" trgLang="zh"><file id="f"><unit id="1"><segment><source>Save <pc id="1">all</pc></source><target>保存</target></segment></unit></file></xliff>',
  'a.strings': '/* Title of the window */\n"title" = "Main \\"window\\"";\nkey = "value\\U4f60";\n',
  'a.arb':
    '{"@@locale": "en", "count": "{n, plural, =0{none} one{{n} item} other{{n} items}}", "@count": {"description": "Items", "placeholders": {"n": {}}}}',
  'a.ipynb': JSON.stringify({
    nbformat: 4,
    metadata: { language_info: { name: 'python' } },
    cells: [
      { cell_type: 'markdown', source: ['# Title\n', 'text $x^2$'] },
      { cell_type: 'code', source: 'print(1)', outputs: [{ output_type: 'stream', text: ['1\n'] }] },
      {
        cell_type: 'code',
        source: 'df',
        outputs: [{ data: { 'text/html': '<table><tr><td>1</td></tr></table>' } }],
      },
    ],
  }),
  'a.json': '{"合同": [{"金额": 12345678901234567890, "x": "1e-7"}, null, true], "deep": [[[[[1]]]]]}',
  'a.jsonl': '{"a": 1}\n{"a": "二"}\n',
  'a.tsv': 'a\tb\n1\t"x\ty"\n=SUM(A1)\t-0.00\n',
  'a.py': '# 注释\ndef f(x):\n    """Text ``` fence"""\n    return x # 1\n',
  'a.yaml': 'a: [1, 2]\nb: |\n  text\n  更多\n',
  'a.xml': '<?xml version="1.0" encoding="GBK"?><a b="1"><!-- c --><![CDATA[x]]></a>',
  'a.html':
    '<!doctype html><title>T</title><ruby>漢<rt>hàn</rt></ruby><table><caption>C</caption><tr><td rowspan=2 colspan=2>a<td>b<tr><td><table><tr><td>x</table></table><ul>text<li>a<ol type=i start=3><li>b</ol></ul><pre><code class=language-js>`x`</code></pre><svg><text>label</text><foreignObject><p>x</foreignObject></svg><math><mfrac><mn>1</mn><mi>x</mi></mfrac></math><select><optgroup label=g><option>o</select><dl><dt>t<dd>d</dl><del>x</del><a href="http://a.cn">y</a><details><summary>s</summary>z</details>',
  'a.xhtml':
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><p>a<br/><![CDATA[<b>]]></p><script/><p>b</p></body></html>',
  'frames.html': '<frameset cols="1,2"><frame src=a><noframes><p>text</p></noframes></frameset>',
  'a.mht':
    'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"; type="text/html"\n\n--b\nContent-Type: text/html; charset=gbk\nContent-Transfer-Encoding: quoted-printable\n\n<p>=BA=CF=CD=AC</p>\n--b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n--b--\n',
  'a.eml':
    'From: =?gbk?B?us/NrA==?= <a@b.cn>\nTo: c@d.cn\nSubject: =?utf-8?Q?=E5=90=88?=\nDate: Mon, 1 Jan 2024 10:00:00 +0800\nContent-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/plain; charset=gbk\nContent-Transfer-Encoding: base64\n\nus/NrA==\n--b\nContent-Type: text/csv; name="a.csv"\nContent-Disposition: attachment; filename="a.csv"\n\na,b\n1,2\n--b\nContent-Type: message/rfc822\n\nSubject: inner\n\ntext\n--b--\n',
}

function listWritten(): Seed[] {
  const texts = Object.entries(TEXTS).map(([name, text]) => ({ name, bytes: Buffer.from(text) }))
  const encoded: Seed[] = [
    { name: 'gbk.txt', bytes: Buffer.from(GBK.repeat(20), 'hex') },
    { name: 'utf16.txt', bytes: Buffer.from('\uFEFF合同 text\n', 'utf16le') },
    { name: 'gbk.csv', bytes: Buffer.from(`${GBK.slice(0, -2)}2c310a`.repeat(10), 'hex') },
  ]
  const members = Object.fromEntries([...texts, ...encoded].map(({ name, bytes }) => [name, bytes]))
  return [
    ...texts,
    ...encoded,
    { name: 'a.zip', bytes: makeZip({ ...members, '合同/b.txt': Buffer.from('x') }) },
  ]
}
