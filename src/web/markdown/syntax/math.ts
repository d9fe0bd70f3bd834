import type { TokenizerAndRendererExtension, Tokens } from 'marked'
import { escapeHtml } from './escapeHtml.ts'

/** The place of a formula in the HTML: filled in after sanitising (formulas.ts). */
const renderFormulaSlot = (tex: string, display: boolean): string =>
  `<span class="md-tex" data-tex="${escapeHtml(tex)}" data-display="${display ? 1 : 0}"></span>`

// A formula of its own has no blank line in it, so that a stray `$$` cannot swallow the rest of an answer.
const body = String.raw`((?:(?!\n[ \t]*\n)[\s\S])+?)`
const block = new RegExp(
  String.raw`^ {0,3}(?:\$\$${body}\$\$|\\\[${body}\\\])[ \t]*(?:\n+|$)|^ {0,3}\\begin\{((?:equation|align|gather|aligned)\*?)\}${body}\\end\{\3\}[ \t]*(?:\n+|$)`,
)
// Up to the end of the paragraph: what stands below it is looked at in its turn.
const blockStart = /^(?:(?!\n[ \t]*\n)[\s\S])*?\n(?= {0,3}(?:\$\$|\\\[|\\begin\{))/

// `$…$` follows Pandoc: no space inside the dollars, no digit after, so that prices stay prices.
const dollar = /^\$(?![\s$])((?:\\[\s\S]|[^\\$\n])+?)(?<!\s)\$(?![\d$])/
const doubleDollar = new RegExp(String.raw`^\$\$${body}\$\$`)
const paren = new RegExp(String.raw`^\\\(${body}\\\)`)
const bracket = new RegExp(String.raw`^\\\[${body}\\\]`)

type Formula = Tokens.Generic & { tex: string; display: boolean }
const renderer = (token: Tokens.Generic): string =>
  renderFormulaSlot((token as Formula).tex, (token as Formula).display)

export const blockMath: TokenizerAndRendererExtension = {
  name: 'blockMath',
  level: 'block',
  start(src) {
    // `src` lacks the first character of a paragraph: its beginning is no beginning of a line.
    return blockStart.exec(src)?.[0].length
  },
  tokenizer(src): Formula | undefined {
    const found = block.exec(src)
    if (!found) return undefined
    const tex = found[1] ?? found[2] ?? `\\begin{${found[3]}}${found[4]}\\end{${found[3]}}`
    return { type: 'blockMath', raw: found[0], tex: tex.trim(), display: true }
  },
  renderer,
}

export const inlineMath: TokenizerAndRendererExtension = {
  name: 'inlineMath',
  level: 'inline',
  start(src) {
    const at = src.search(/\$|\\[([]/)
    return at < 0 ? undefined : at
  },
  tokenizer(src): Formula | undefined {
    const shown = doubleDollar.exec(src) ?? bracket.exec(src)
    const found = shown ?? dollar.exec(src) ?? paren.exec(src)
    if (!found?.[1]) return undefined
    return { type: 'inlineMath', raw: found[0], tex: found[1].trim(), display: Boolean(shown) }
  },
  renderer,
}
