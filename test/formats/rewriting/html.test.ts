import { expect, test } from 'vitest'
import { makeZip } from '../make-container.ts'
import { read } from '../read.ts'
import { mark, put, reasonsOf, take, textsOf, unzip } from './take.ts'

const page = (body: string): string =>
  `<!doctype html>\n<html><head><title>My page</title></head><body>\n${body}\n</body></html>`

test('the texts of a page are its blocks, with what stands in them as tags', async () => {
  const html = page(`<nav><a href="/">Home</a><a href="/b">About</a></nav>
  <h1>Big   <em>news</em></h1>
  <p>Read <a href="https://a.example/?a=1&amp;b=2" title="More">this &amp; that</a>,
     then run <code>npm start</code><br>and <b>wait</b> &lt;here&gt;.</p>
  <pre>const a = 1</pre><script>let text = "hidden"</script><!-- a comment -->
  <img src="a.png" alt="A cat"><input placeholder="Your name"><p translate="no">Wenqu</p>
  <table><tr><td>Cell<td>Other</table><p>3.14</p>`)
  const taken = await take(html, 'a.html')
  expect(textsOf(taken)).toEqual([
    'My page',
    '<1>Home</1><2>About</2>',
    'Big <1>news</1>',
    'More',
    'Read <1>this &amp; that</1>, then run <2/><3/>and <4>wait</4> &lt;here>.',
    'A cat',
    'Your name',
    'Cell',
    'Other',
  ])
  expect(taken.segments[4]?.place).toEqual({ heading: ['Big news'] })
  expect(reasonsOf(taken)).toEqual(['code'])
  expect((await put(html, 'a.html', (text) => text)).text).toBe(html)
  const done = await put(html, 'a.html', {
    'Read <1>this &amp; that</1>, then run <2/><3/>and <4>wait</4> &lt;here>.':
      '运行 <2/>，<4>等待</4><3/>读<1>这些 &lt;b></1>',
    'A cat': '一只"猫"',
    Cell: '格',
  })
  expect(done.text).toContain(
    '<p>运行 <code>npm start</code>，<b>等待</b><br>读<a href="https://a.example/?a=1&amp;b=2" title="More">这些 &lt;b&gt;</a></p>',
  )
  expect(done.text).toContain('alt="一只&quot;猫&quot;"')
  expect(done.text).toContain('<td>格<td>Other</table>')
})

test('broken markup is text where it is text, and every other byte stays', async () => {
  const html =
    "<p>a < b and <b>bold <i>both</b> c</i><p>next &copy; &eacute;t&eacute; <div><a href=x>link<div>block</div></a>\r\n<p>it's <span"
  const texts = textsOf(await take(html, 'a.html'))
  expect(texts).toEqual(['a &lt; b and <1>bold both</1> c', 'next © été', 'link', 'block', "it's"])
  const { text } = await put(html, 'a.html', mark)
  expect(
    text.replace(/[⟦⟧]/g, '').replace('©', '&copy;').replaceAll('é', '&eacute;').replace('&lt;', '<'),
  ).toBe(html)
})

test('in two languages a block has both, and no id stands twice', async () => {
  const html = page('<p>See <a id="x" href="/b">the <img src="i.png"> list</a> now</p><ul><li>One</li></ul>')
  const { text } = await put(
    html,
    'a.html',
    { 'See <1>the <2/> list</1> now': '见<1><2/>清单</1>', One: '一', 'My page': '我的页面' },
    'bilingual',
  )
  expect(text).toContain('list</a> now<br/>见<a href="/b">清单</a></p><ul><li>One<br/>一</li></ul>')
  expect(text).toContain('<title>My page / 我的页面</title>')
})

test('a page keeps its encoding; what that cannot write is written as a reference', async () => {
  const html = Buffer.from('<meta charset="windows-1252"><p>caf\xe9</p>', 'latin1')
  const { bytes } = await put(html, 'a.html', { café: 'bär 熊' })
  expect(Buffer.from(bytes).toString('latin1')).toBe('<meta charset="windows-1252"><p>b\xe4r &#29066;</p>')
  const chinese = Buffer.from('<meta charset="gbk"><p>', 'latin1')
  const gbk = Buffer.concat([chinese, Buffer.from('c4e3bac3cac0bde7', 'hex')])
  const back = Buffer.from((await put(gbk, 'a.html', { 你好世界: '世界你好' })).bytes)
  expect(back.subarray(chinese.length).toString('hex')).toBe('cac0bde7c4e3bac3')
})

test('a book is translated with its title, chapters and tables of contents', async () => {
  const chapter = (body: string): string =>
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body>${body}</body></html>`
  const bytes = makeZip(
    {
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': '<container><rootfile full-path="OEBPS/book.opf"/></container>',
      'OEBPS/book.opf':
        '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>The Sea</dc:title></metadata><manifest><item id="c" href="one.xhtml"/><item id="n" href="nav.xhtml" properties="nav"/><item id="t" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest><spine><itemref idref="c"/></spine></package>',
      'OEBPS/one.xhtml': chapter(
        '<h1 id="a">Chapter One</h1><p>It was <ruby>dark<rt>da:k</rt></ruby>.<br/>Very.</p>',
      ),
      'OEBPS/nav.xhtml': chapter('<nav><ol><li><a href="one.xhtml#a">Chapter One</a></li></ol></nav>'),
      'OEBPS/toc.ncx': '<ncx><navPoint><navLabel><text>Chapter One</text></navLabel></navPoint></ncx>',
    },
    { mimetype: { method: 0 } },
  )
  const taken = await take(bytes, 'a.epub')
  expect(textsOf(taken)).toEqual([
    'The Sea',
    'Chapter One',
    'It was <1>dark</1>.<2/>Very.',
    'Chapter One',
    'Chapter One',
  ])
  expect(taken.segments[1]?.place).toEqual({ entry: 'OEBPS/one.xhtml' })
  const { bytes: done } = await put(bytes, 'a.epub', {
    ...Object.fromEntries(textsOf(taken).map((text) => [text, mark(text)])),
    'It was <1>dark</1>.<2/>Very.': '<1>黑</1>，<2/>很黑',
  })
  expect(unzip(done, 'OEBPS/one.xhtml')).toContain(
    '<h1 id="a">⟦Chapter One⟧</h1><p><ruby>黑</ruby>，<br/>很黑</p>',
  )
  expect(unzip(done, 'OEBPS/toc.ncx')).toContain('<text>⟦Chapter One⟧</text>')
  expect(unzip(done, 'OEBPS/book.opf')).toContain('<dc:title>⟦The Sea⟧</dc:title>')
  expect(Buffer.from(done).subarray(30, 58).toString()).toContain('mimetypeapplication/epub+zip')
})

test('pictures in the spine of a book are copied; a book of pictures has nothing to translate', async () => {
  const picture = Buffer.from('89504e470d0a1a0a3c703e776f7264733c2f703e', 'hex')
  const book = (more: string): Buffer =>
    makeZip({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': '<container><rootfile full-path="book.opf"/></container>',
      'book.opf': `<package xmlns:dc="x"><metadata><dc:title>The Sea</dc:title></metadata><manifest><item id="p" href="p.png" media-type="image/png"/><item id="q" href="q.png" media-type="application/xhtml+xml"/><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="p"/><itemref idref="q"/><itemref idref="c"/></spine></package>`,
      'p.png': picture,
      'q.png': picture,
      'c.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><body><img src="p.png"/>${more}</body></html>`,
    })
  await expect(take(book(''), 'a.epub')).rejects.toMatchObject({ code: 'document_empty' })
  const bytes = book('<p>Waves</p>')
  const taken = await take(bytes, 'a.epub')
  expect(textsOf(taken)).toEqual(['The Sea', 'Waves'])
  expect(reasonsOf(taken)).toEqual(['picture'])
  const { bytes: done } = await put(bytes, 'a.epub', mark)
  expect(unzip(done, 'p.png')).toEqual(unzip(bytes, 'p.png'))
  const reading = await read(bytes, 'a.epub')
  expect(reading.report.skipped.map(({ what, reason }) => [what, reason])).toEqual([
    ['p.png', 'picture'],
    ['q.png', 'picture'],
  ])
})
