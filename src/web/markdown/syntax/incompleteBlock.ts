import type { Block } from './blocks.ts'
import { closeDetails } from './details.ts'
import { findOpenFormula } from './formulaSyntax.ts'
import { blankOpaqueSpans, maskOpaqueSpans } from './opaqueSpans.ts'
import { closeTags } from './tags.ts'

/** A last line that may still become something else: `-`, `##`, `1.`, `|--`, `> [!NO`, the start of a fence or of a formula. */
const undecidedEnd =
  /(?:^|\n)[ \t>]*(?:[-=*+_#>~|:\\[ \t]+|\d{1,9}[.)]?|`{1,2}|(?:`{3,}|~{3,})[^\n]*|\[!?[A-Za-z]{0,9})$/
/** The beginning of a tag. */
const undecidedTag = /<\/?(?:[a-z][a-z\d]{0,9})?$/

/** A formula in dollars that may still be closed. */
const openDollar = /(?<![A-Za-z\d])\$(?=[^\s\d$])[^$\n，。、；：！？]{0,120}$/

const emphasisMarks = ['***', '**', '~~', '*', '__', '_']

/** Cuts off the unclosed formula at the end. */
function cutOpenFormula(text: string): string {
  const masked = blankOpaqueSpans(text)
  const at = findOpenFormula(text, masked)
  const round = masked.indexOf('\\(')
  return text.slice(0, Math.min(at < 0 ? Infinity : at, round < 0 ? Infinity : round))
}

/** Completes `a | b`, which will probably head a table, so that it is shown as one at once. Returns null for anything else. */
function completeTableHead(raw: string): string | null {
  const [head = '', rule, ...more] = raw.trimEnd().split('\n')
  if (!/^ {0,3}\|.*\|\s*$/.test(head) || more.length || (rule !== undefined && !/^[\s|:-]*$/.test(rule)))
    return null
  const cells =
    maskOpaqueSpans(head, (span) => 'x'.repeat(span.length))
      .replaceAll('\\|', '')
      .split('|').length - 2
  return `${head}\n|${'---|'.repeat(cells)}`
}

/** Returns the marks that close the open emphasis and inline code of `line`. */
function getClosingMarks(line: string): string {
  const masked = maskOpaqueSpans(line, (span) => '·'.repeat(span.length))
  const tick = /(?<!`)(`+)(?!`)[^`]*$/.exec(masked)
  if (tick) return tick[0].replaceAll('`', '').trim() ? (tick[1] ?? '') : ''
  const openMarks: string[] = []
  const rest = masked.replace(/\\./g, '  ')
  for (let i = 0; i < rest.length;) {
    const mark = emphasisMarks.find((candidate) => rest.startsWith(candidate, i))
    if (!mark) {
      i++
      continue
    }
    const [before = ' ', after = ' '] = [rest[i - 1], rest[i + mark.length]]
    if (openMarks.at(-1) === mark && /\S/.test(before)) openMarks.pop()
    else if (/\S/.test(after) && !(mark.startsWith('_') && /\w/.test(before))) openMarks.push(mark)
    i += mark.length
  }
  return openMarks.reverse().join('')
}

/** Shows the text of a link whose address is unfinished, and nothing of an unfinished image. */
const completeOpenLink = (text: string): string =>
  text.replace(/!\[[^\]\n]*(?:\](?:\([^)\n]*)?)?$/, '').replace(/\[([^\]\n]*)(?:\](?:\([^)\n]*)?)?$/, '$1')

/**
 * Completes the last block of a growing answer for display: unfinished syntax is closed or held back, so that marks do not
 * flicker before they take effect. The stored text is never changed.
 */
export function completeBlock(block: Block): string {
  const { raw } = block
  if (block.type === 'paragraph' || block.type === 'text') {
    const table = completeTableHead(raw)
    if (table) return table
  }
  const decidedText = cutOpenFormula(raw.replace(undecidedEnd, '').replace(undecidedTag, ''))
  const from =
    Math.max(decidedText.lastIndexOf('\n'), block.type === 'table' ? decidedText.lastIndexOf('|') : -1) + 1
  const before = decidedText.slice(0, from)
  const lastLine = decidedText.slice(from)
  const dollar = blankOpaqueSpans(lastLine).search(openDollar)
  const completedLine = completeOpenLink(dollar < 0 ? lastLine : lastLine.slice(0, dollar))
  const line = completedLine.replace(/(?<=\s|^|[^*_~\s])[*_~]+$/, (marks) =>
    isClosing(completedLine, marks) ? marks : '',
  )
  const shownText = before + line + getClosingMarks(line)
  return shownText + (block.type === 'details' ? closeDetails(shownText) : closeTags(shownText))
}

/** Tells whether marks at the end of a line close something that was opened before them. */
function isClosing(line: string, marks: string): boolean {
  return getClosingMarks(line.slice(0, line.length - marks.length)) === marks
}

/** Removes a partial closing fence from the code of an open block. */
export const trimPartialFence = (code: string): string => code.replace(/\n {0,3}(?:`{1,3}|~{1,3})$/, '')

/** Tells whether a code block still waits for its closing fence. */
export function hasOpenFence(raw: string): boolean {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(raw)?.[1]
  if (fence === undefined) return false
  const lastLine = /\n {0,3}([`~]+)$/.exec(raw.trimEnd())?.[1] ?? ''
  return !lastLine.startsWith(fence)
}
