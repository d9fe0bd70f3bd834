import type { TokenizerAndRendererExtension, Tokens } from 'marked'

/** Where a statement of an answer comes from: the n-th one is cited as `[n]`. */
export type Source = { title: string; url: string }

const citationPattern = /^\[(?:citation:)?(\d{1,3})\](?![(:])/

/**
 * `[1]`, or `[citation:1]` as some models write it: the place of a citation, which is filled in after sanitising, or
 * given back its text where the answer has no such source (references.ts). A link of the answer's own with that name wins.
 */
export const citation: TokenizerAndRendererExtension = {
  name: 'citation',
  level: 'inline',
  start(src) {
    const at = src.search(/\[(?:citation:)?\d{1,3}\]/)
    return at < 0 ? undefined : at
  },
  tokenizer(src): Tokens.Generic | undefined {
    const found = citationPattern.exec(src)
    if (!found?.[1] || this.lexer.tokens.links[found[1]]) return undefined
    return { type: 'citation', raw: found[0], n: found[1] }
  },
  renderer: (token) => `<span class="md-cite" data-cite="${String(token.n)}">${token.raw}</span>`,
}
