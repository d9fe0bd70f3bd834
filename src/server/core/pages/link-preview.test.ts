import { expect, test } from 'vitest'
import { renderLinkPreview, shorten, stripMarkdown } from './link-preview.ts'

test('a title that is markup stays text, and of the address only the path is passed on', () => {
  const html = renderLinkPreview(
    { title: '</title><script>alert(1)</script>', description: '"><img src=x onerror=alert(1)>' },
    '/share/abc?token=secret',
    'https://wenqu.example',
  )
  expect(html).not.toMatch(/<script|<img|secret/)
  expect(html).toContain('<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; · 问渠</title>')
  expect(html).toContain('<meta property="og:url" content="https://wenqu.example/share/abc">')
  expect(html).toContain('<meta property="og:image" content="https://wenqu.example/og.png">')
})

test('a text becomes one line of so many characters at most, without marks', () => {
  expect(shorten(stripMarkdown('## 标题\n\n- **要点**一\n- 要点二'), 40)).toBe('标题 要点一 要点二')
  expect(shorten('长'.repeat(200), 80)).toBe(`${'长'.repeat(79)}…`)
})
