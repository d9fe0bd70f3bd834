import type { Token, Tokens } from 'marked'
import { lexBlocks } from './boundedLexer.ts'
import type { FencedCode } from './fences.ts'
import { findOpenFormula, MAX_FORMULA_CHARS } from './formulaSyntax.ts'
import { blankOpaqueSpans } from './opaqueSpans.ts'

/** One top-level piece of an answer. `code` is the text of a fenced or indented code block, else null. */
export type Block = { type: string; raw: string; code: string | null; lang: string }

/** An answer cut into blocks. Text appended to the answer can only change the blocks from `final` on. */
export type Blocks = {
  blocks: readonly Block[]
  /** Number of leading blocks that are final, and of the characters that they cover. */
  final: number
  finalChars: number
  finalText: string
}

const emptyBlocks: Blocks = { blocks: [], final: 0, finalChars: 0, finalText: '' }

const toBlock = (token: Token): Block =>
  token.type === 'code'
    ? {
        type: 'code',
        raw: token.raw,
        code: (token as Tokens.Code).text,
        lang: (token as Tokens.Code).lang ?? '',
      }
    : { type: token.type, raw: token.raw, code: null, lang: '' }

/** Returns the index of the paragraph whose displayed formula may still be closed below a blank line, or the number of tokens. */
function findOpenToken(tokens: readonly Token[]): number {
  let [open, tail] = [tokens.length, '']
  for (let i = tokens.length - 1; i >= 0 && tail.length < MAX_FORMULA_CHARS; i--) {
    const { type, raw } = tokens[i] as Token
    tail = raw + tail
    if (type !== 'paragraph' || !/\$\$|\\/.test(raw)) continue
    const masked = blankOpaqueSpans(raw)
    if (findOpenFormula(tail, masked) >= 0) open = i
  }
  return open
}

/** Joins an unclosed formula and everything below it into one block. */
function joinTokens(tokens: readonly Token[]): Token[] {
  const [first] = tokens
  return first ? [{ ...first, raw: tokens.map(({ raw }) => raw).join('') }] : []
}

/**
 * Returns how many tokens appended text can no longer change: they end behind a blank line, before a block whose first line is
 * complete and does not begin with a space.
 */
function countFinalTokens(tokens: readonly Token[]): number {
  const uncertain = tokens.findIndex((token) => token.type === 'code' && (token as FencedCode).isUncertain)
  for (let i = uncertain < 0 ? tokens.length - 1 : uncertain; i > 0; i--) {
    const [before, token] = [tokens[i - 1], tokens[i]]
    if (!before || !token) continue
    if (/\n[ \t]*\n$/.test(before.raw) && /^\S.*\n/.test(token.raw)) return i
  }
  return 0
}

/**
 * Cuts `text` into blocks. If it continues the text of `previous`, only the part that may have changed is parsed again; the
 * blocks are those that `updateBlocks(undefined, text)` returns.
 */
export function updateBlocks(previous: Blocks | undefined, text: string): Blocks {
  const source = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  const base = previous && source.startsWith(previous.finalText) ? previous : emptyBlocks
  const lexedTokens = lexBlocks(source.slice(base.finalChars))
  const open = findOpenToken(lexedTokens)
  const tokens = [...lexedTokens.slice(0, open), ...joinTokens(lexedTokens.slice(open))]
  const keptBlocks = base.blocks.slice(0, base.final)
  const finalCount = countFinalTokens(tokens)
  const toBlocks = (part: Token[]) => part.filter((token) => token.type !== 'space').map(toBlock)
  const finalBlocks = toBlocks(tokens.slice(0, finalCount))
  const finalChars =
    base.finalChars + tokens.slice(0, finalCount).reduce((n, token) => n + token.raw.length, 0)
  return {
    blocks: [...keptBlocks, ...finalBlocks, ...toBlocks(tokens.slice(finalCount))],
    final: keptBlocks.length + finalBlocks.length,
    finalChars,
    finalText: finalCount ? source.slice(0, finalChars) : base.finalText,
  }
}
