import { Lexer, type Token, type Tokens, type TokensList } from 'marked'
import { markdownParser } from './parser.ts'
import { AnswerTokenizer } from './tokenizer.ts'

/** Deepest nesting of quotations, lists and notes, and of emphasis and links. */
const MAX_DEPTH = 16
/** How often a text may be read on average: ordinary text is read about once for each of its levels. */
const MAX_READINGS = 8
const MAX_QUOTE_LINES = 500
/** Limit of characters × characters that may begin something, since each of the latter may scan the whole text. */
const MAX_INLINE_COST = 10_000_000

const inlineMarks = /[[\]!*_~`<$\\&>@]/g

/** Tells whether parsing the inline syntax of a text is certain to be fast. */
export const isInlineBounded = (text: string): boolean =>
  text.length ** 2 <= MAX_INLINE_COST ||
  text.length * (text.match(inlineMarks)?.length ?? 0) <= MAX_INLINE_COST

/** A line that begins more nested quotations and lists than are allowed: `- - - - …`. */
const deepLine = /(?:^|\n)(?:[ \t]*(?:[-*+]|\d{1,9}[.)])(?=[ \t])|[ \t]*>){17}/

const createSource = (raw: string): Tokens.Generic => ({ type: 'source', raw, text: raw })

class BoundedTokenizer extends AnswerTokenizer {
  private readonly hasDeepLine: boolean

  constructor(text: string) {
    super(markdownParser.defaults)
    this.hasDeepLine = deepLine.test(text)
  }

  /** Bounds a quotation's lines: marked parses the quotation again at each line that lacks the mark. */
  override blockquote(src: string): Tokens.Blockquote | undefined {
    const raw = this.rules.block.blockquote.exec(src)?.[0] ?? ''
    const isLong = raw.split('\n', MAX_QUOTE_LINES + 1).length > MAX_QUOTE_LINES
    return isLong ? (createSource(raw) as Tokens.Blockquote) : super.blockquote(src)
  }

  /** Ends a list before a line that is nested too deep. */
  override list(src: string): Tokens.List | undefined {
    const match = this.hasDeepLine ? deepLine.exec(src) : null
    if (!match) return super.list(src)
    if (match.index > 0) return super.list(src.slice(0, match.index))
    return createSource(/^[^\n]*\n?/.exec(src)?.[0] ?? src) as Tokens.List
  }
}

/**
 * Marked needs exponential time for some texts (`> > > > a` with a line below), quadratic time for others (`[` × 60,000), and
 * unbounded stack for nested syntax. This lexer stops there: the remaining text becomes a `source` token, which is shown as
 * written.
 */
class BoundedLexer extends Lexer {
  private depth = 0
  private blockChars: number
  private inlineChars: number
  private readonly answer: AnswerTokenizer

  constructor(text: string) {
    const answer = new BoundedTokenizer(text)
    super({ ...markdownParser.defaults, tokenizer: answer })
    this.answer = answer
    this.blockChars = this.inlineChars = text.length * MAX_READINGS + 1000
  }

  override blockTokens(src: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[]
  override blockTokens(src: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList
  override blockTokens(src: string, tokens: Token[] = this.tokens, lastParagraphClipped = false): Token[] {
    this.blockChars -= src.length
    const isBounded = this.blockChars >= 0 && this.depth < MAX_DEPTH
    return this.read(src, tokens, isBounded, () => super.blockTokens(src, tokens, lastParagraphClipped))
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    this.inlineChars -= src.length
    const isBounded = this.inlineChars >= 0 && this.depth < MAX_DEPTH && isInlineBounded(src)
    return this.read(src, tokens, isBounded, () =>
      this.answer.readInline(src, () => super.inlineTokens(src, tokens)),
    )
  }

  private read(src: string, tokens: Token[], isBounded: boolean, readTokens: () => Token[]): Token[] {
    if (!isBounded) {
      tokens.push(createSource(src))
      return tokens
    }
    this.depth++
    try {
      return readTokens()
    } finally {
      this.depth--
    }
  }
}

/** Returns the top-level tokens of a text, without the inline syntax inside them. */
export const lexBlocks = (text: string): Token[] => new BoundedLexer(text).blockTokens(text, [])

export const lexMarkdown = (text: string): TokensList => new BoundedLexer(text).lex(text)
