import type { TokenizerAndRendererExtension, Tokens } from 'marked'
import { escapeHtml } from './escapeHtml.ts'

// A line that begins another block does not continue a footnote.
const blockStart = String.raw`(?! {0,3}(?:\[\^|#{1,6}\s|>|[-*+]\s|\d{1,9}[.)]\s|\`\`\`|~~~|\||<|\$\$|\\\[))`
const definition = new RegExp(
  String.raw`^ {0,3}\[\^([^\]\s]+)\]:[ \t]*([^\n]*(?:\n${blockStart}[^\n]*\S[^\n]*)*(?:\n+(?: {4}|\t)[^\n]*\S[^\n]*)*)(?:\n+|$)`,
)
const definitionStart = /\n {0,3}\[\^[^\]\s]+\]:/
const references = /\[\^([^\]\s]+)\](?!:)/g

/** Reads `[^name]: text`, with the paragraphs that are indented below it (GFM). */
export const footnote: TokenizerAndRendererExtension = {
  name: 'footnote',
  level: 'block',
  start(src) {
    const at = src.search(definitionStart)
    return at < 0 ? undefined : at + 1
  },
  tokenizer(src): Tokens.Generic | undefined {
    const match = definition.exec(src)
    if (!match?.[1]) return undefined
    const text = (match[2] ?? '').replace(/\n(?: {4}|\t)/g, '\n')
    return { type: 'footnote', raw: match[0], name: match[1], tokens: this.lexer.blockTokens(text, []) }
  },
  renderer(token) {
    const name = escapeHtml(String(token.name))
    return `<div class="md-note" data-note="${name}">${this.parser.parse(token.tokens ?? [])}</div>`
  },
}

/** Renders `[^name]` as a slot, whose number is filled in after sanitising (references.ts). */
export const footnoteReference: TokenizerAndRendererExtension = {
  name: 'footnoteReference',
  level: 'inline',
  start(src) {
    const at = src.indexOf('[^')
    return at < 0 ? undefined : at
  },
  tokenizer(src): Tokens.Generic | undefined {
    const match = /^\[\^([^\]\s]+)\]/.exec(src)
    return match?.[1] ? { type: 'footnoteReference', raw: match[0], name: match[1] } : undefined
  },
  renderer(token) {
    return `<sup class="md-note-ref" data-note="${escapeHtml(String(token.name))}">${escapeHtml(token.raw)}</sup>`
  },
}

/** Returns the name in a footnote's definition. */
export const parseFootnoteName = (raw: string): string => definition.exec(raw)?.[1] ?? ''

/**
 * Returns the names of an answer's footnotes in the order of their numbers: as `texts` first refer to them, then those without a
 * reference.
 */
export function orderFootnotes(texts: readonly string[], defined: readonly string[]): string[] {
  if (!defined.length) return []
  const definedNames = new Set(defined)
  const referred = texts.flatMap((text) => [...text.matchAll(references)].map(([, name = '']) => name))
  return [...new Set([...referred.filter((name) => definedNames.has(name)), ...defined])]
}
