import { Marked, type Token, type TokenizerAndRendererExtension, type Tokens } from 'marked'
import { markdownText } from '#web/text/markdown.ts'
import { citation } from './citations.ts'
import { renderCodeHtml } from './codeHtml.ts'
import { escapeHtml } from './escapeHtml.ts'
import { blockMath, inlineMath } from './math.ts'
import { footnote, footnoteReference } from './footnotes.ts'

/**
 * `**强调：**后文` is no emphasis by CommonMark's flanking rule, because Chinese punctuation touches the stars and no
 * space follows. Models write it all the time, so strong text that begins or ends with punctuation is taken as meant.
 */
const cjkStrong: TokenizerAndRendererExtension = {
  name: 'cjkStrong',
  level: 'inline',
  tokenizer(src) {
    const found = /^\*\*(?![\s*])((?:\\.|[^\\*\n`$]|\*(?!\*))+?)(?<!\s)\*\*(?!\*)/.exec(src)
    const text = found?.[1]
    if (!found || !text || !/^\p{P}|\p{P}$/u.test(text)) return undefined
    return { type: 'cjkStrong', raw: found[0], text, tokens: this.lexer.inlineTokens(text) }
  },
  renderer(token) {
    return `<strong>${this.parser.parseInline(token.tokens ?? [])}</strong>`
  },
}

const dataImage = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,/i

/** A remote image would tell its host who reads the answer: it is a link, which says what it opens (sanitize.ts). */
const image = ({ href, text }: Tokens.Image): string => {
  const alt = escapeHtml(text)
  if (dataImage.test(href)) return `<img src="${escapeHtml(href)}" alt="${alt}">`
  if (!/^https?:\/\//i.test(href)) return alt
  return `<a class="md-image" href="${escapeHtml(href)}">${alt}</a>`
}

/** Links do not stand inside each other: in one, a remote image is its words. */
const imageInLink = (token: Token): Token => {
  if (token.type !== 'image' || dataImage.test((token as Tokens.Image).href)) return token
  return { type: 'text', raw: token.raw, text: (token as Tokens.Image).text || markdownText.image }
}

/** What would take too long to be read or shown, as it was written. */
export const renderSource = (text: string): string =>
  `<span class="md-source-text">${escapeHtml(text)}</span>`

/** What was not read (boundedLexer.ts). */
const source: TokenizerAndRendererExtension = {
  name: 'source',
  renderer: ({ raw }) => renderSource(raw),
}

/** The markdown of an answer: GFM with footnotes, formulas, citations, code with a header, remote images as links. Its HTML is not yet sanitised. */
export const markdownParser = new Marked({
  gfm: true,
  extensions: [blockMath, inlineMath, footnote, footnoteReference, citation, cjkStrong, source],
  renderer: {
    image,
    link(token) {
      token.tokens = token.tokens.map(imageInLink)
      return false
    },
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
