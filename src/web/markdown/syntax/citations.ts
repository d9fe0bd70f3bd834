import type { TokenizerAndRendererExtension, Tokens } from 'marked'
import { matchCitation } from '#contract/conversations/citations.ts'
import { escapeHtml } from './escapeHtml.ts'

/** A source of an answer's statements: number `n` is cited as `[n]`. */
export type Source = { n: number; title: string; url: string }

/**
 * Renders the place of a citation. It is filled in after sanitising, or gets its text back if the answer has no such source
 * (references.ts). A link definition of the answer with that name takes precedence.
 */
export const citation: TokenizerAndRendererExtension = {
  name: 'citation',
  level: 'inline',
  start(src) {
    const at = src.search(/[[【［](?:citation:)?\s*\d/)
    return at < 0 ? undefined : at
  },
  tokenizer(src, tokens): Tokens.Generic | undefined {
    if (!/^[[【［]/.test(src)) return undefined
    const before = tokens
      .slice(-3)
      .map(({ raw }) => raw)
      .join('')
    const match = matchCitation(src, 0, before)
    if (!match || this.lexer.tokens.links[match.raw.slice(1, -1)]) return undefined
    return { type: 'citation', raw: match.raw, numbers: match.numbers }
  },
  renderer: ({ raw, numbers }) =>
    `<span class="md-cite" data-cite="${(numbers as number[]).join(' ')}">${escapeHtml(raw)}</span>`,
}
