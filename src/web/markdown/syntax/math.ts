import type { TokenizerAndRendererExtension, Tokens } from 'marked'
import { escapeHtml } from './escapeHtml.ts'
import { matchDisplayFormula, matchFormula } from './formulaSyntax.ts'

/** Renders the slot of a formula, which is filled in after sanitising (formulas.ts). */
const renderFormulaSlot = (tex: string, display: boolean): string =>
  `<span class="md-tex" data-tex="${escapeHtml(tex)}" data-display="${display ? 1 : 0}"></span>`

type Formula = Tokens.Generic & { tex: string; display: boolean }
const renderer = (token: Tokens.Generic): string =>
  renderFormulaSlot((token as Formula).tex, (token as Formula).display)

/** Reads a displayed formula that ends its line or has several lines itself. */
function readBlock(src: string): Formula | undefined {
  const indent = /^ {0,3}(?=\$\$|\\\[|\\begin\{)/.exec(src)?.[0]
  if (indent === undefined) return undefined
  const formula = matchDisplayFormula(src, indent.length)
  if (!formula) return undefined
  const body = indent + formula.raw
  const end = /^[ \t]*(?:\n+|$)/.exec(src.slice(body.length))?.[0]
  if (end === undefined && !formula.raw.includes('\n')) return undefined
  return { type: 'blockMath', raw: body + (end ?? ''), tex: formula.tex, display: true }
}

// At the beginning of a line, or at the end of one: `公式为：$$` with the formula below it.
const blockMark = /(?:(?<=\n) {0,3}(?=\$\$|\\\[|\\begin\{)|(?=(?:\$\$|\\\[)[ \t]*\n))/g
const paragraphEnd = /\n[ \t]*\n/

/** Returns where a displayed formula begins inside a paragraph. `src` lacks the paragraph's first character. */
export function findBlockFormula(src: string): number | undefined {
  const paragraph = src.slice(0, paragraphEnd.exec(src)?.index)
  for (const { index } of paragraph.matchAll(blockMark)) if (readBlock(src.slice(index))) return index
  return undefined
}

export const blockMath: TokenizerAndRendererExtension = {
  name: 'blockMath',
  level: 'block',
  start: findBlockFormula,
  tokenizer: readBlock,
  renderer,
}

export const inlineMath: TokenizerAndRendererExtension = {
  name: 'inlineMath',
  level: 'inline',
  start(src) {
    const at = src.search(/\$|\\[([]|\\begin\{/)
    return at < 0 ? undefined : at
  },
  tokenizer(src, tokens): Formula | undefined {
    const mark = src.charCodeAt(0)
    if (mark !== 36 && mark !== 92) return undefined
    const formula = matchFormula(src, 0, tokens.at(-1)?.raw.at(-1) ?? '')
    return formula && { type: 'inlineMath', ...formula }
  },
  renderer,
}
