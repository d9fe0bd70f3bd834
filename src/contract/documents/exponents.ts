const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹⁻ⁿ'
const PLAIN = '0123456789-n'

/**
 * Characters whose plain forms would join those beside them to another figure, `10⁶` to 106 and `①20` to 120, and the marks of
 * exponents.
 */
const FOREIGN = /[\p{No}\u2070-\u207f]|<su[bp]>|\^|\*\*/iu
const EXPONENT = String.raw`([-−–]?)\+?(\d{1,4}|[a-z])`
/** Formulas of Word are read as `{10}^{6}`. */
const BRACED_BASE = /\{([\p{L}\p{N}.,]{1,20})\}(?=\^)/gu
const BRACED = new RegExp(String.raw`(?<=[\p{L}\p{N})}])\^\{${EXPONENT}\}`, 'giu')
const BARE = new RegExp(String.raw`(?<=[\p{L}\p{N})}])\^${EXPONENT}(?![\p{L}\p{N}])`, 'giu')
const RAISED = new RegExp(String.raw`(?<=[\p{L}\p{N})])<sup>\s{0,9}${EXPONENT}\s{0,9}</sup>`, 'giu')
const LOWERED = /(?<=[\p{L}\p{N})])<sub>\s{0,9}([\p{L}\p{N}]{1,6})\s{0,9}<\/sub>/giu
const SUPERSCRIPT = /(?<=[\p{L}\p{N})])⁺?(⁻?(?:[⁰¹²³⁴-⁹]+|ⁿ))/gu
/** A program's `10**6`, but not a figure between the marks of bold type. */
const DOUBLE_ASTERISK = /(?<=\d)\*\*(-?\d{1,4})(?![\d*]|[^\s*]{0,40}\*\*(?!\d))/g
/** Numbers in circles, fractions. */
const COMPOUND = /[\p{No}--[\u00b2\u00b3\u00b9\u2070-\u2089]]/gv

const toCaret = (_: string, sign: string, exponent: string): string => `^${sign && '-'}${exponent}`
const toPlain = (superscripts: string): string =>
  superscripts.replace(/./gu, (one) => PLAIN[SUPERSCRIPTS.indexOf(one)]!)

/**
 * Folds a text by NFKC and to small letters, with exponents written as `10^6`, `m^2` and `x^-n` whatever they were written as:
 * superscripts, `<sup>`, LaTeX, `**`. Numbers in circles and fractions stay apart from the digits beside them.
 */
export function foldFigures(text: string): string {
  const plain = FOREIGN.test(text) ? writeCarets(text) : text
  return plain.normalize('NFKC').toLowerCase()
}

const writeCarets = (text: string): string =>
  text
    .replace(BRACED_BASE, '$1')
    .replace(BRACED, toCaret)
    .replace(BARE, toCaret)
    .replace(RAISED, toCaret)
    .replace(LOWERED, '$1')
    .replace(SUPERSCRIPT, (_, exponent: string) => `^${toPlain(exponent)}`)
    .replace(DOUBLE_ASTERISK, '^$1')
    .replace(COMPOUND, ' $& ')

/** A word or a number with an exponent, in a folded text. */
const POWER =
  /((?:[[\p{L}\p{N}]--\p{Script=Han}]|(?<=\d)[.,](?=\d)){1,40})\^(-?[[\p{L}\p{N}]--\p{Script=Han}]{1,4})/gv

/**
 * Lists the words by which the powers of a folded text are found: `10^6` for itself alone, since 106 is another number, and `m^2`
 * and `m2` for a unit, which is written so where there is no superscript.
 */
export function listPowers(foldedText: string): string[] {
  if (!foldedText.includes('^')) return []
  return [...foldedText.matchAll(POWER)].flatMap(([, base = '', exponent = '']) => {
    const bare = /\d[\d.,]*$|[^\d.,]+$/.exec(base)?.[0] ?? base
    return [...new Set([base, bare])].flatMap((one) =>
      /\p{L}$/u.test(one) ? [`${one}^${exponent}`, one + exponent] : [`${one}^${exponent}`],
    )
  })
}
