import { type Token, Tokenizer, type Tokens } from 'marked'
import { readAlert } from './alerts.ts'
import { readFence } from './fences.ts'
import { cutBareAddress } from './links.ts'
import { findBlockFormula } from './math.ts'
import { blankOpaqueSpans } from './opaqueSpans.ts'
import { escapeCellBars } from './tableRows.ts'
import { findInlineTags, isBlockHtml, readImageTag } from './tags.ts'

const openFormula = /\$\$|\\\[|\\begin\{/

/** The inline text being parsed, and the positions of its tags that count as tags. */
type InlineText = { text: string; tags?: ReadonlySet<number> }

/** Reads Markdown as models mean it, where that differs from GFM (docs/decisions/0055-markdown-of-models.md). */
export class AnswerTokenizer extends Tokenizer {
  private currentText: InlineText = { text: '' }

  /** Reads the syntax of one inline text. Calls nest. */
  readInline<T>(text: string, read: () => T): T {
    const around = this.currentText
    this.currentText = { text }
    try {
      return read()
    } finally {
      this.currentText = around
    }
  }

  override url(src: string): Tokens.Link | undefined {
    return super.url(cutBareAddress(src))
  }

  /** A single tilde means "about" (`3~5 天`), a home directory or a subscript: only two strike text through. */
  override del(src: string, maskedSrc: string, prevChar?: string): Tokens.Del | undefined {
    return /^~~(?!~)/.test(src) && prevChar !== '~' ? super.del(src, maskedSrc, prevChar) : undefined
  }

  override fences(src: string): Tokens.Code | undefined {
    return readFence(src)
  }

  /** A line of `=` or `-` inside a formula makes no heading of the text above it. */
  override lheading(src: string): Tokens.Heading | undefined {
    const token = super.lheading(src)
    if (!token || !/[$\\]/.test(token.raw)) return token
    const formula = findBlockFormula(src.slice(1))
    if (formula !== undefined && formula + 1 < token.raw.length) return undefined
    return openFormula.test(blankOpaqueSpans(token.text)) ? undefined : token
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    const token = super.blockquote(src)
    const alert = token && readAlert(token)
    if (!alert) return token
    const { state } = this.lexer
    const { top } = state
    state.top = true
    const tokens = this.lexer.blockTokens(alert.text, [])
    state.top = top
    return {
      type: 'alert',
      raw: token.raw,
      kind: alert.kind,
      text: token.text,
      tokens,
    } as unknown as Tokens.Blockquote
  }

  override table(src: string): Tokens.Table | undefined {
    const raw = this.rules.block.table.exec(src)?.[0] ?? ''
    const escapedRaw = escapeCellBars(raw)
    const token = super.table(escapedRaw)
    return token && { ...token, raw: raw.replace(/\n+$/, '') }
  }

  /** Leaves disallowed HTML to be read as text. */
  override html(src: string): Tokens.HTML | undefined {
    const token = super.html(src)
    return token && isBlockHtml(token.raw) ? token : undefined
  }

  override tag(src: string): Tokens.Tag | undefined {
    if (!/^<[/a-z]/i.test(src)) return undefined
    const image = readImageTag(src)
    if (image) return image as Token as Tokens.Tag
    this.currentText.tags ??= findInlineTags(this.currentText.text)
    return this.currentText.tags.has(this.currentText.text.length - src.length) ? super.tag(src) : undefined
  }
}
