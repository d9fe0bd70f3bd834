import { escapeAttribute, escapeXml } from '../rewriting/xml.ts'
import type { PageBlock } from './page-text.ts'
import type { TranslatedPage } from './layout.ts'

/** Resolution at which a page of A4 is 830 pixels wide, so that its text can be read. */
const DPI = 100
/** Longest time for all pictures, ms; the rest of a file's time is for its text. */
const DRAWING_MS = 80_000

const STYLE = `
body{margin:0;background:#f3f4f6;color:#111827;font:16px/1.7 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
section{display:grid;grid-template-columns:1fr 1fr;max-width:1800px;margin:0 auto 16px;background:#fff;border-bottom:1px solid #d1d5db}
figure,article{margin:0;padding:24px;min-width:0}
figure{border-inline-end:1px solid #e5e7eb}
img{width:100%;height:auto;position:sticky;top:0}
figcaption,.empty{color:#6b7280;font-size:13px}
table{border-collapse:collapse;font-size:14px}
td{border:1px solid #d1d5db;padding:2px 8px;vertical-align:top}
h1{font-size:24px}h2{font-size:20px}h3{font-size:17px}
@media(max-width:800px){section{grid-template-columns:1fr}img{position:static}}
@media print{body{background:#fff;font-size:11px}section{break-after:page;border:0;margin:0}img{position:static}}`

/**
 * Writes a web page of one file: each page of a document as a picture, its translation beside it. It loads nothing and runs
 * nothing. `draw` makes a page's JPEG picture; where it throws, there is none.
 */
export async function writeSideBySide(
  pages: TranslatedPage[],
  name: string,
  draw: (number: number, dpi: number) => Promise<Buffer>,
): Promise<Uint8Array> {
  const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
  const parts = [
    '<!doctype html>\n<html><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<title>${escapeXml(name)}</title><style>${STYLE}</style></head><body>\n`,
  ].map((part) => Buffer.from(part))
  const until = performance.now() + DRAWING_MS
  for (const { number, width, height, blocks } of pages) {
    const picture = performance.now() < until ? await draw(number, DPI).catch(() => undefined) : undefined
    const image =
      picture &&
      `<img src="data:image/jpeg;base64,${picture.toString('base64')}" width="${Math.round(width)}" height="${Math.round(height)}" alt="${escapeAttribute(`第 ${number} 页`)}" loading="lazy">`
    const original = image ?? `<p class="empty">请看原文件的这一页</p>`
    const text = blocks.map(formatBlock).join('\n') || '<p class="empty">这一页没有可以翻译的文字</p>'
    parts.push(
      Buffer.from(
        `<section id="page-${number}"><figure>${original}<figcaption>${number}</figcaption></figure><article dir="auto">\n${text}\n</article></section>\n`,
      ),
    )
  }
  parts.push(Buffer.from('</body></html>\n'))
  return Buffer.concat(parts)
}

function formatBlock(block: PageBlock): string {
  if ('cells' in block) {
    const rows = block.cells.map((row) =>
      row.map((cell) => `<td dir="auto">${escapeXml(cell)}</td>`).join(''),
    )
    return `<table>${rows.map((row) => `<tr>${row}</tr>`).join('')}</table>`
  }
  const text = escapeXml(block.text)
  if (block.level) return `<h${block.level} dir="auto">${text}</h${block.level}>`
  return block.hasBullet ? `<ul><li dir="auto">${text}</li></ul>` : `<p dir="auto">${text}</p>`
}
