import { Marked, type TokenizerAndRendererExtension, type Tokens } from 'marked'
import { chatText } from '../../text/chat.ts'
import { codeHtml } from './codeHtml.ts'
import { escapeHtml } from './escape.ts'
import { blockMath, inlineMath } from './math.ts'

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

/** A remote image would tell its host who reads the answer: it is a button until the person asks for it. */
const image = ({ href, text }: Tokens.Image): string =>
  /^https?:\/\//i.test(href)
    ? `<button type="button" class="md-image" data-src="${escapeHtml(href)}" data-alt="${escapeHtml(text)}">${escapeHtml(chatText.loadImage(text, host(href)))}</button>`
    : escapeHtml(text)

function host(href: string): string {
  return URL.canParse(href) ? new URL(href).host : ''
}

/** The markdown of an answer: GFM, formulas, code with a header, images on request. Its HTML is not yet sanitised. */
export const dialect = new Marked({
  gfm: true,
  extensions: [blockMath, inlineMath, cjkStrong],
  renderer: {
    image,
    code: ({ text, lang }) => codeHtml(text, lang),
    table(token) {
      const row = (cells: Tokens.TableCell[]) =>
        `<tr>${cells.map((cell) => this.tablecell(cell)).join('')}</tr>`
      const body = token.rows.map(row).join('')
      return `<div class="md-table" tabindex="0"><table><thead>${row(token.header)}</thead><tbody>${body}</tbody></table></div>`
    },
    checkbox: ({ checked }) => `<input type="checkbox" disabled${checked ? ' checked' : ''}> `,
  },
})
