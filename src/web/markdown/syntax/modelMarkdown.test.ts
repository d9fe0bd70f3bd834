import { expect, test } from 'vitest'
import { lexMarkdown } from './boundedLexer.ts'
import { markdownParser } from './parser.ts'

/** Returns the HTML of an answer, with a formula as `‹tex›` or, displayed, `«tex»`, and code as `[language|text]`. */
const render = (text: string): string =>
  markdownParser
    .parser(lexMarkdown(text))
    .replace(
      /<span class="md-tex" data-tex="([^"]*)" data-display="(\d)"><\/span>/g,
      (_, tex: string, display) => (display === '1' ? `«${tex}»` : `‹${tex}›`),
    )
    .replace(/<div class="md-code">.*?data-lang="([^"]*)">([\s\S]*?)<\/code><\/pre><\/div>/g, '[$1|$2]')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .trim()
const renderLine = (text: string): string => render(text).replace(/^<p>|<\/p>$/g, '')

test.each([
  ['需要3~5天，最长7~10天', '需要3~5天，最长7~10天'],
  ['~/a 和 ~/b，H~2~O', '~/a 和 ~/b，H~2~O'],
  ['真的 ~~删除~~ 了，~~~三个~~~', '真的 <del>删除</del> 了，~~~三个~~~'],
])('only two tildes strike: %s', (text, html) => {
  expect(renderLine(text)).toBe(html)
})

test.each([
  ['ssh <user>@<host> -p <port>', 'ssh &lt;user&gt;@&lt;host&gt; -p &lt;port&gt;'],
  ['Promise<T>、List<S>、x<y>z', 'Promise&lt;T&gt;、List&lt;S&gt;、x&lt;y&gt;z'],
  ['用 <template> 和 <script setup>，还在', '用 &lt;template&gt; 和 &lt;script setup&gt;，还在'],
  ['用 <b> 标签加粗', '用 &lt;b&gt; 标签加粗'],
  ['</b> 结束', '&lt;/b&gt; 结束'],
  ['H<sub>2</sub>O<br>二 <kbd>Ctrl</kbd>', 'H<sub>2</sub>O<br>二 <kbd>Ctrl</kbd>'],
  ['`<b>` 与 `</b>`', '<code>&lt;b&gt;</code> 与 <code>&lt;/b&gt;</code>'],
  ['注释写作 <!-- 注释 -->，之后', '注释写作 &lt;!-- 注释 --&gt;，之后'],
  ['<!DOCTYPE html> 开头', '&lt;!DOCTYPE html&gt; 开头'],
  ['<button>确定</button>', '&lt;button&gt;确定&lt;/button&gt;'],
  ['<a href="https://a.example">文</a>', '<a href="https://a.example">文</a>'],
  [
    '<img src="https://a.example/x.png" alt="图">',
    '<a class="md-image" href="https://a.example/x.png">图</a>',
  ],
])('a tag that is not allowed, or has no partner, is text: %s', (text, html) => {
  expect(renderLine(text)).toBe(html)
})

test('a block of HTML that an answer may not have is text, and nothing below it is lost', () => {
  expect(render('<template>\n  <T>\n</template>\n\n之后')).toBe(
    '<p>&lt;template&gt;<br>&lt;T&gt;<br>&lt;/template&gt;</p>\n<p>之后</p>',
  )
  expect(render('<script setup>\nlet a\n\n之后')).toContain('<p>之后</p>')
  expect(render('<div> 是块级元素')).toBe('<p>&lt;div&gt; 是块级元素</p>')
  expect(render('<div align="center">\n\n# 题\n\n</div>')).toMatch(
    /^<div align="center">\s*<h1>题<\/h1>\s*<\/div>$/,
  )
  expect(render('<table><tr><td>Map<K></td></tr></table>')).toBe('<table><tr><td>Map&lt;K></td></tr></table>')
})

const cells = (table: string): string[] =>
  [...render(table).matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/g)].map(([, cell = '']) => cell)

test.each([
  ['|甲|乙|\n|-|-|\n|$P(A|B)$|条件|', ['‹P(A|B)›', '条件']],
  ['|甲|乙|\n|-|-|\n|`a || b`|或|', ['<code>a || b</code>', '或']],
  ['|甲|乙|\n|-|-|\n|`a \\| b`|$|x|$|', ['<code>a | b</code>', '‹|x|›']],
  ['|甲|乙|\n|-|-|\n|$5|$6|', ['$5', '$6']],
  ['|甲|乙|\n|-|-|\n|约$5|共 6$|', ['约$5', '共 6$']],
  ['|$|x|$|乙|\n|-|-|\n|丙|丁|', ['丙', '丁']],
])('a bar inside a formula or code does not end a cell: %s', (table, row) => {
  expect(cells(table).slice(2)).toEqual(row)
})

test.each([
  ['$$\n\nE = mc^2\n\n$$', '«E = mc^2»'],
  ['\\[\n\na^2\n\n+ b^2\n\n\\]', '«a^2\n+ b^2»'],
  ['- 项\n\n  $$\n\n  z = 1\n\n  $$', '<ul>\n<li><p>项</p>\n«z = 1»</li>\n</ul>'],
  ['> $$\n>\n> z\n>\n> $$', '<blockquote>\n«z»</blockquote>'],
  ['结果：\n\\[\nx\n=\ny\n\\]', '<p>结果：</p>\n«x\n=\ny»'],
  ['- 结果：\n  $$\n  x\n  =\n  y\n  $$', '<ul>\n<li>结果：«x\n=\ny»</li>\n</ul>'],
  ['结果：$$\nx\n- y\n=\nz\n$$，其中', '<p>结果：</p>\n«x\n- y\n=\nz»<p>，其中</p>'],
  ['\\begin{cases} x \\\\ y \\end{cases}', '«\\begin{cases} x \\\\ y \\end{cases}»'],
  ['矩阵 \\begin{pmatrix}1&2\\end{pmatrix} 可逆', '<p>矩阵 ‹\\begin{pmatrix}1&2\\end{pmatrix}› 可逆</p>'],
  ['\\begin{multline*}\na\n\nb\n\\end{multline*}', '«\\begin{gather*}\na\nb\n\\end{gather*}»'],
  ['$$ 是美元符号\n\n中间是一句话。\n\n$$', '<p>$$ 是美元符号</p>\n<p>中间是一句话。</p>\n<p>$$</p>'],
])('a displayed formula: %j', (text, html) => {
  expect(render(text)).toBe(html)
})

test.each([
  ['设 $a$，$ b $ 与 $x = 1 $', '设 ‹a›，‹b› 与 ‹x = 1›'],
  ['H$_2$O、37$^\\circ$C、$n$th、$概率=0.5$', 'H‹_2›O、37‹^\\circ›C、‹n›th、‹概率=0.5›'],
  ['**当 $a*b$ 与 $c*d$**', '<strong>当 ‹a*b› 与 ‹c*d›</strong>'],
])('dollars that are a formula: %s', (text, html) => {
  expect(renderLine(text)).toBe(html)
})

test.each([
  '从 $5 到 $10',
  '约 100$，最多 200$。',
  'US$5 与 HK$8，HK$ 与 US$',
  '$AAPL 涨，$TSLA 跌；$NVDA/$AMD、$BTC,$ETH',
  '设置 $PATH 和 $HOME，$HOME/$USER，${A}_${B}，$(pwd)$HOME',
  'export PATH=$PATH:$HOME/bin && A=$B',
  '$_GET 和 $_POST，$a和$b的值',
  '用 $ 和 $ 分隔，costs $ 5 and $ 6',
])('dollars that are none: %s', (text) => {
  expect(renderLine(text).replaceAll('&amp;', '&')).toBe(text)
})

test.each([
  ['**使用 `npm install`：**然后', '<strong>使用 <code>npm install</code>：</strong>然后'],
  ['**损失 $L$：**表示', '<strong>损失 ‹L›：</strong>表示'],
  ['这是**`code`**的说明', '这是<strong><code>code</code></strong>的说明'],
  ['***注意：***后文，*斜体：*后文', '<em><strong>注意：</strong></em>后文，<em>斜体：</em>后文'],
  ['~~删除：~~后文，__强调：__后文', '<del>删除：</del>后文，<strong>强调：</strong>后文'],
  [
    '共**“$5”**元，共**“甲”**和**“乙”**元',
    '共<strong>“$5”</strong>元，共<strong>“甲”</strong>和<strong>“乙”</strong>元',
  ],
  [
    '**注：*见*《书》**，*甲 **乙：** 丙：*丁',
    '<strong>注：<em>见</em>《书》</strong>，<em>甲 <strong>乙：</strong> 丙：</em>丁',
  ],
  ['2**(n)**3，__init__方法，文件_a_b', '2**(n)**3，__init__方法，文件_a_b'],
])('emphasis beside Chinese punctuation: %s', (text, html) => {
  expect(renderLine(text)).toBe(html)
})

test.each([
  ['```markdown\n# t\n\n```bash\nnpm\n```\n```\n\n后', '[markdown|# t\n\n```bash\nnpm\n```]<p>后</p>'],
  ['```markdown\n树：\n```\nsrc/\n```\n完\n```\n\n后', '[markdown|树：\n```\nsrc/\n```\n完]<p>后</p>'],
  ['```md\n# t\n```\n\n```\ntree\n```', '[md|# t][|tree]'],
  ['```python\n"""\n```bash\nx\n```\n"""\n```\n后', '[python|"""\n```bash\nx\n```\n"""]<p>后</p>'],
  ['```python\na\n```js\nb\n```\n\n后', '[python|a\n```js\nb]<p>后</p>'],
  ['````markdown\n```js\na\n````\n后', '[markdown|```js\na]<p>后</p>'],
  [
    '- 一\n\n  ```markdown\n  ```js\n  a\n  ```\n  ```\n\n- 二',
    '<ul>\n<li><p>一</p>\n[markdown|```js\na\n```]</li>\n<li><p>二</p>\n</li>\n</ul>',
  ],
  ['```js\nlet a\n', '[js|let a]'],
])('a fence inside a fence: %j', (text, html) => {
  expect(render(text)).toBe(html)
})

test('one line break is a line break', () => {
  expect(renderLine('床前明月光，\n疑是地上霜。')).toBe('床前明月光，<br>疑是地上霜。')
  expect(render('> 甲\n> 乙\n\n- 丙\n  丁')).toBe(
    '<blockquote>\n<p>甲<br>乙</p>\n</blockquote>\n<ul>\n<li>丙<br>丁</li>\n</ul>',
  )
})

test('an alert has its kind and its own blocks; another quotation that begins with brackets is one', () => {
  expect(render('> [!warning]\n> 先**备份**\n>\n> - 甲')).toBe(
    '<div class="md-alert" data-alert="warning"><p class="md-alert-title">注意</p><p>先<strong>备份</strong></p>\n<ul>\n<li>甲</li>\n</ul>\n</div>',
  )
  expect(render('> [!这样]')).toBe('<blockquote>\n<p>[!这样]</p>\n</blockquote>')
})

test('details hold blocks of markdown, whatever stands in them; those without an end are open', () => {
  expect(
    render('<details>\n<summary>题 **一**</summary>\n\n- 甲\n\n```html\n</details>\n```\n\n</details>\n\n后'),
  ).toBe(
    '<details><summary>题 <strong>一</strong></summary><ul>\n<li>甲</li>\n</ul>\n[html|&lt;/details&gt;]</details><p>后</p>',
  )
  expect(render('<details><summary>题</summary>\n\n甲')).toBe(
    '<details open><summary>题</summary><p>甲</p>\n</details>',
  )
})
