import { Marked, type Token, type TokenizerAndRendererExtension, type Tokens } from 'marked'
import { markdownText } from '#web/text/markdown.ts'
import type { AlertKind } from './alerts.ts'
import { citation } from './citations.ts'
import { renderCodeHtml } from './codeHtml.ts'
import { details } from './details.ts'
import { emphasis } from './emphasis.ts'
import { escapeHtml } from './escapeHtml.ts'
import { blockMath, inlineMath } from './math.ts'
import { footnote, footnoteReference } from './footnotes.ts'
import { maskOpaqueSpans } from './opaqueSpans.ts'
import { escapeOtherTags } from './tags.ts'

const dataImage = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,/i

/** A remote image would tell its host who reads the answer, so it becomes a link that names its target (sanitize.ts). */
const image = ({ href, text }: Tokens.Image): string => {
  const alt = escapeHtml(text)
  if (dataImage.test(href)) return `<img src="${escapeHtml(href)}" alt="${alt}">`
  if (!/^https?:\/\//i.test(href)) return alt
  return `<a class="md-image" href="${escapeHtml(href)}">${alt}</a>`
}

/** Links do not nest, so a remote image inside a link becomes its alternative text. */
const imageInLink = (token: Token): Token => {
  if (token.type !== 'image' || dataImage.test((token as Tokens.Image).href)) return token
  return { type: 'text', raw: token.raw, text: (token as Tokens.Image).text || markdownText.image }
}

/** Renders a text as it was written, where parsing or showing it would take too long. */
export const renderSource = (text: string): string =>
  `<span class="md-source-text">${escapeHtml(text)}</span>`

/** Text that was not parsed (boundedLexer.ts). */
const source: TokenizerAndRendererExtension = {
  name: 'source',
  renderer: ({ raw }) => renderSource(raw),
}

/** A quotation that warns or advises (alerts.ts). */
const alert: TokenizerAndRendererExtension = {
  name: 'alert',
  renderer(token) {
    const kind = token.kind as AlertKind
    const title = `<p class="md-alert-title">${markdownText.alert[kind]}</p>`
    return `<div class="md-alert" data-alert="${kind}">${title}${this.parser.parse(token.tokens ?? [])}</div>`
  },
}

/** Parses an answer's Markdown: GFM, footnotes, formulas, citations, code headers, images as links. Its HTML is unsanitised. */
export const markdownParser = new Marked({
  gfm: true,
  // A single line break counts: models write verses, addresses and steps in lines.
  breaks: true,
  extensions: [
    blockMath,
    inlineMath,
    details,
    alert,
    footnote,
    footnoteReference,
    citation,
    emphasis,
    source,
  ],
  hooks: {
    emStrongMask: (text) =>
      maskOpaqueSpans(text, (raw, type) => (type === 'formula' ? 'a'.repeat(raw.length) : raw)),
  },
  renderer: {
    image,
    link(token) {
      token.tokens = token.tokens.map(imageInLink)
      return false
    },
    html: ({ text }) => escapeOtherTags(text),
    code: ({ text, lang }) => renderCodeHtml(text, lang),
    table(token) {
      const row = (cells: Tokens.TableCell[]) =>
        `<tr>${cells.map((cell) => this.tablecell(cell)).join('')}</tr>`
      const body = token.rows.map(row).join('')
      return (
        `<div class="md-table"><div class="md-table-scroll" tabindex="0"><table><thead>${row(token.header)}</thead>` +
        `<tbody>${body}</tbody></table></div><div class="md-table-tools">` +
        `<button type="button" class="md-table-copy">${markdownText.copyTable}</button>` +
        `<button type="button" class="md-table-csv">${markdownText.csv}</button></div></div>`
      )
    },
    checkbox: ({ checked }) => `<input type="checkbox" disabled${checked ? ' checked' : ''}> `,
  },
})
