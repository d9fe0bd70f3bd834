// Shows how the markdown of answers differs from CommonMark and GFM, example by example: node bench/markdown-examples.ts
// <file>... A file holds a specification's examples as JSON, [{ markdown, html, example, section }], such as CommonMark's
// spec.json (https://spec.commonmark.org/0.31.2/spec.json) and marked's test/specs/gfm/gfm.0.29.json.
import { readFileSync } from 'node:fs'
import { Marked } from 'marked'
import { lexMarkdown } from '#web/markdown/syntax/boundedLexer.ts'
import { markdownParser } from '#web/markdown/syntax/parser.ts'

type Example = { markdown: string; html: string; example: number; section: string }

/** Unchanged marked, for differences that it has already. */
const gfm = new Marked({ gfm: true })

/** Removes from HTML all that no reader sees: blanks between tags, escapes, and the frame of our code and tables. */
const normalize = (html: string): string =>
  html
    .replace(
      /<div class="md-code">.*?<pre[^>]*><code data-lang="([^"]*)">([\s\S]*?)<\/code><\/pre><\/div>/g,
      (_, lang: string, code: string) =>
        `<pre><code${lang ? ` class="language-${lang}"` : ''}>${code}\n</code></pre>`,
    )
    .replace(/<div class="md-table"><div[^>]*>(<table>[\s\S]*?<\/table>)<\/div><div.*?<\/div><\/div>/g, '$1')
    .replace(/<code class="language-([^"\s]*)[^"]*">/g, '<code class="language-$1">')
    .replace(/\n*<\/code>/g, '</code>')
    .replace(/<(br|hr|img|input)([^>]*?)\s*\/?>/g, '<$1$2>')
    .replace(/<input([^>]*)>/g, (_, attributes: string) =>
      attributes.includes('checked') ? '<input checked>' : '<input>',
    )
    .replace(/<br>\n/g, '<br>')
    .replace('<tbody></tbody>', '')
    .replace(/&quot;|&#39;/g, (entity) => (entity === '&quot;' ? '"' : "'"))
    .replace(/\s*(<\/?(?:p|ul|ol|li|blockquote|table|thead|tbody|tr|th|td|h\d|hr|pre|div)\b[^>]*>)\s*/g, '$1')
    .trim()

/** Reasons for a difference; the first one that fits an example's markdown and our HTML counts. */
const reasons: [name: string, test: (example: Example, ours: string) => boolean][] = [
  [
    'a line break is a line break',
    ({ html }, ours) => ours.replace(/<br>\s*/g, '\n') === html.replace(/<br>\s*/g, '\n'),
  ],
  ['an image from elsewhere is a link to it, or its words', ({ html }) => html.includes('<img')],
  [
    'a fence with an info string opens one inside',
    ({ section, markdown }) => section === 'Fenced code blocks' && /^ {0,3}[`~]{3,} *\w/m.test(markdown),
  ],
  [
    'what is no allowed tag, or has no partner, is text',
    ({ markdown }, ours) => /<[!?/a-zA-Z]/.test(markdown) && /&lt;/.test(ours),
  ],
  ['one tilde strikes nothing', ({ markdown }) => /(?<!~)~(?!~)/.test(markdown)],
  ['emphasis beside Chinese punctuation is meant', ({ markdown }) => /[*_].*[\u3000-\u9fff]/.test(markdown)],
  ['dollars and backslashes that are a formula', (_, ours) => ours.includes('md-tex')],
]

const rows: { specification: string; example: number; section: string; reason: string; markdown: string }[] =
  []
const totals = new Map<string, { examples: number; same: number }>()
for (const file of process.argv.slice(2)) {
  const examples = JSON.parse(readFileSync(file, 'utf8')) as Example[]
  const specification = file.split('/').at(-1) ?? file
  let same = 0
  for (const example of examples) {
    const expected = normalize(example.html)
    const ours = normalize(markdownParser.parser(lexMarkdown(example.markdown)))
    if (ours === expected) {
      same++
      continue
    }
    const known = normalize(gfm.parse(example.markdown, { async: false })) !== expected
    const reason = reasons.find(([, test]) => test({ ...example, html: expected }, ours))?.[0]
    rows.push({
      specification,
      example: example.example,
      section: example.section,
      reason: reason ?? (known ? 'marked itself differs' : 'UNEXPLAINED'),
      markdown: JSON.stringify(example.markdown.slice(0, 60)),
    })
    if (process.env.SHOW === String(example.example))
      console.log(example.markdown, '\n', expected, '\n', ours)
  }
  totals.set(specification, { examples: examples.length, same })
}
console.table(Object.fromEntries(totals))
const byReason = Map.groupBy(rows, ({ reason }) => reason)
for (const [reason, list] of byReason) {
  console.log(`\n${reason}: ${list.length}`)
  for (const { specification, example, section, markdown } of list)
    console.log(`| ${specification} | ${example} | ${section} | \`${markdown}\` |`)
}
process.exit(byReason.has('UNEXPLAINED') ? 1 : 0)
