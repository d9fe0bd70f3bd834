import type { TokenizerAndRendererExtension, Tokens } from 'marked'
import { matchCitation } from '#contract/conversations/citations.ts'
import { escapeHtml } from './escapeHtml.ts'

/** Where a statement of an answer comes from: number `n` is cited as `[n]`. */
export type Source = { n: number; title: string; url: string }

/**
 * The place of a citation, which is filled in after sanitising, or given back its text where the answer has no such source
 * (references.ts). A link of the answer's own with that name wins.
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
    const found = matchCitation(src, 0, before)
    if (!found || this.lexer.tokens.links[found.raw.slice(1, -1)]) return undefined
    return { type: 'citation', raw: found.raw, numbers: found.numbers }
  },
  renderer: ({ raw, numbers }) =>
    `<span class="md-cite" data-cite="${(numbers as number[]).join(' ')}">${escapeHtml(raw)}</span>`,
}
