/** A formula in a text. `tex` lacks the delimiters; `display`: the formula has a line of its own. */
export type FormulaSpan = { raw: string; tex: string; display: boolean }

/** Environments that KaTeX knows only in a displayed formula, and those that may stand inline. */
const displayEnvironments = 'equation|align|alignat|gather|multline|eqnarray|flalign|split|CD'
const inlineEnvironments =
  'aligned|alignedat|gathered|d?cases|d?rcases|[pbBvV]?matrix|smallmatrix|d?array|subarray'
/** KaTeX lacks these environments, but has others that look the same. */
const replacements: Record<string, string> = { multline: 'gather', eqnarray: 'align', flalign: 'align' }

const MAX_LINES = 40
/** Longest formula, characters. A longer one is shown as its source. */
export const MAX_FORMULA_CHARS = 4000

const environmentBegin = new RegExp(
  String.raw`\\begin\{((?:${displayEnvironments}|${inlineEnvironments})\*?)\}`,
  'y',
)
const isDisplayEnvironment = new RegExp(`^(?:${displayEnvironments})\\*?$`)
const dollar = /\$((?:\\[^\n]|[^\\$\n])+)\$/y

const displayMarks = [
  ['$$', '$$'],
  ['\\[', '\\]'],
] as const

const blankLine = /\n[ \t]*\n/
/** TeX commands, and those whose argument is words. */
const texWords =
  /\\(?:text\w*|mathrm|mathbf|mbox|hbox|operatorname\*?|tag|label|ce|pu)\s*\{[^{}]*(?:\}|$)|\\[a-zA-Z]+/g
/** A sentence, or the beginning of another block. */
const prose = /[\u3400-\u9fff]{4}|[。；！？]|(?:[A-Za-z]{3,}[ ,]+){3}|(?:^|\n)[ \t]*(?:#{1,6}\s|```|~~~)/

const isProse = (body: string): boolean =>
  body.split('\n').length > MAX_LINES || prose.test(body.replace(texWords, ' '))

/** Tells whether a text may be a displayed formula. With a blank line it must be short and no prose: its mark may be stray. */
const isDisplayBody = (body: string): boolean =>
  body.trim() !== '' && !(blankLine.test(body) && isProse(body))

const openMark = /\$\$|\\\[|\\begin\{/

/**
 * Returns where a displayed formula begins whose end may still come; -1 if there is none. `masked` is `text` with closed spans
 * blanked out (opaqueSpans.ts).
 */
export function findOpenFormula(text: string, masked: string): number {
  const at = masked.search(openMark)
  return at >= 0 && text.length - at < MAX_FORMULA_CHARS && !isProse(text.slice(at + 2)) ? at : -1
}

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Returns the text between two delimiters, the first of which stands at `at`. */
function readBetween(text: string, at: number, open: string, close: string): string | undefined {
  if (!text.startsWith(open, at)) return undefined
  const rest = text.slice(at + open.length, at + open.length + MAX_FORMULA_CHARS)
  const end = rest.indexOf(close)
  return end < 0 ? undefined : rest.slice(0, end)
}

/** Reads `$$…$$`, `\[…\]` or an environment at `at`, and removes blank lines from its TeX. */
export function matchDisplayFormula(text: string, at: number): FormulaSpan | undefined {
  for (const [open, close] of displayMarks) {
    const body = readBetween(text, at, open, close)
    if (body !== undefined)
      return isDisplayBody(body) ? { raw: open + body + close, tex: toTex(body), display: true } : undefined
  }
  return matchEnvironment(text, at)
}

function matchEnvironment(text: string, at: number): FormulaSpan | undefined {
  const [begin, name = ''] = matchAt(environmentBegin, text, at) ?? []
  if (begin === undefined) return undefined
  const end = `\\end{${name}}`
  const body = readBetween(text, at, begin, end)
  if (body === undefined) return undefined
  const [base = '', star = ''] = name.split(/(?=\*)/)
  const environment = (replacements[base] ?? base) + star
  return {
    raw: begin + body + end,
    tex: toTex(`\\begin{${environment}}${body}\\end{${environment}}`),
    display: isDisplayEnvironment.test(name),
  }
}

/** Mail and Markdown leave blank lines in a formula, which TeX takes for the end of a paragraph. */
const toTex = (body: string): string => body.replace(/\n(?:[ \t]*\n)+/g, '\n').trim()

/** Reads any formula at `at`. `before` is the character in front of it, for when `text` lacks that. */
export function matchFormula(
  text: string,
  at: number,
  before = text.charAt(at - 1),
): FormulaSpan | undefined {
  const displayFormula = matchDisplayFormula(text, at)
  if (displayFormula) return displayFormula
  const round = readBetween(text, at, '\\(', '\\)')
  if (round?.trim() && !blankLine.test(round))
    return { raw: `\\(${round}\\)`, tex: round.trim(), display: false }
  const match = matchAt(dollar, text, at)
  if (!match?.[1]) return undefined
  const isFormula = isDollarFormula(before, match[1], text.charAt(at + match[0].length))
  return isFormula ? { raw: match[0], tex: match[1].trim(), display: false } : undefined
}

const command = /[\\^_]/
const relation = /[=+<>*/|]|\\/
const chinese = /[\u3400-\u9fff]/
const chineseMark = /[，。、；：！？（）《》“”‘’【】]/
/** Two or more letters between spaces that are no command: `$ 5 and $` */
const words = /(?:^|\s)[A-Za-z]{2,}(?=\s|$)/

/**
 * Dollars mean money, shell variables and tickers as often as formulas. Without better evidence Pandoc's rule applies (no space
 * inside, no digit after, `tex_math_dollars` of its manual).
 */
function isDollarFormula(before: string, body: string, after: string): boolean {
  const inner = body.trim()
  if (!inner || after === '$' || /\d/.test(after)) return false
  // An amount stands before its sign, `100$`; a formula that continues a word begins with a command: `H$_2$O`.
  if (/[A-Za-z\d]/.test(before) && !/^[\^_\\]/.test(body)) return false
  const plain = body.replace(texWords, (word) => (word.endsWith('}') ? '\\' : word))
  if (chineseMark.test(plain) || inner.includes('"')) return false
  if (chinese.test(plain) && (!relation.test(plain) || words.test(plain)))
    return !/\s/.test(body) && !after.match(/\w/)
  if (inner !== body) return isSpacedFormula(body, plain, after)
  if (!/[\w{($]/.test(after)) return true
  // `$HOME/$USER`, `$AAPL,$MSFT`, `${A}_${B}`: one name after the other.
  return !/[,:;/=&|<>(\-+_.]$/.test(body) && (command.test(body) || !/^[A-Za-z_{(][\w}]/.test(body))
}

/** Accepts `$ a $` and `$x = 1 $`: models write spaces inside the dollars, but so do shells and people between two dollars. */
function isSpacedFormula(body: string, plain: string, after: string): boolean {
  if (/\w/.test(after) || chinese.test(plain) || words.test(plain)) return false
  if (/^\s/.test(body) && /\s$/.test(body)) return true
  return /[\\^=]/.test(body)
}
