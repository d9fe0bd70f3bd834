import { formatPhonetic, formatScript } from '../text/markdown.ts'
import { formatNumber } from '../text/numbers.ts'
import { formatSymbol } from '../office/symbols.ts'

/**
 * Returns the text that a field shows where its instruction says it, and no result is stored: a formula or combined characters
 * (`EQ`), a character of a font (`SYMBOL`), the caption of a button. Undefined for other fields.
 */
export function formatField(instruction: string): string | undefined {
  const [, kind = '', behind = ''] = /^\s*(\w+)(.*)$/s.exec(instruction) ?? []
  const rest = behind.trim()
  switch (kind.toUpperCase()) {
    case 'EQ':
      return formatEquation(rest).text
    case 'SYMBOL': {
      const [, code = ''] = /^(0x[\da-f]+|\d+)/i.exec(rest) ?? []
      const [, font = ''] = /\\f\s*"?([^"\\]+)"?/i.exec(rest) ?? []
      return code ? formatSymbol(Number(code), font.trim()) : ''
    }
    case 'MACROBUTTON':
    case 'GOTOBUTTON':
      return rest.replace(/^\S+\s*/, '')
    default:
      return undefined
  }
}

/** Shapes around a character, which Word writes over each other. */
const CIRCLES = /^(?:[○◯O]|\u20DD)$/
const SHAPES = /^(?:[○◯O□△▽◇☆]|\u20DD)$/

/** The text of an equation, and what was moved up in it, which in combined characters is their reading. */
type Equation = { text: string; raised?: string }

/** A command with its options, each with a number or a character: `\s\up 9`, `\b\lc\{`. Its arguments follow in brackets. */
const COMMAND = /^\\[a-z](?:\s*\\[a-z]+(?:\s*(?:-?\d+|\\[^a-z\s]|[^\s\\(a-z\d]))?)*\s*/i

/** Equations that nest deeper are written as they stand in the file. */
const MAX_DEPTH = 20

/** Formats the argument of an EQ field (ECMA-376 part 1, 17.16.5.19) as text. */
function formatEquation(source: string, depth = 0): Equation {
  if (depth > MAX_DEPTH) return { text: source }
  let text = ''
  let raised: string | undefined
  let at = 0
  /** Up to here there are only options, which no arguments follow. */
  let optionsEnd = 0
  while (at < source.length) {
    const command = /^\\([a-z*])/i.exec(source.slice(at, at + 2))?.[1]?.toLowerCase()
    if (command === '*') {
      // A switch of the field's format, with its value: `\* jc2`, `\* "Font:宋体"`, `\* hps10`.
      at += /^\\\*\s*(?:"[^"]*"|\S+)\s*/.exec(source.slice(at))?.[0].length ?? 2
    } else if (command) {
      const [options = ''] = at < optionsEnd ? [] : (COMMAND.exec(source.slice(at)) ?? [])
      const open = at + options.length
      if (!options || source[open] !== '(') {
        optionsEnd = Math.max(optionsEnd, open)
        at += 2
        continue
      }
      const end = findEnd(source, open)
      const parts = splitArguments(source.slice(open + 1, end))
      const equations = parts.map((part) => formatEquation(part.trim(), depth + 1))
      text += formatCommand(command, options, equations)
      if (command === 's' && /\\up/i.test(options)) raised = equations.map((each) => each.text).join('')
      at = end + 1
    } else {
      // A backslash writes the character behind it: `\,`, `\(`, `\\`.
      if (source[at] === '\\') at++
      text += source[at] ?? ''
      at++
    }
  }
  return raised === undefined ? { text } : { text, raised }
}

function formatCommand(command: string, options: string, equations: Equation[]): string {
  const texts = equations.map(({ text }) => text)
  const [first = '', second = ''] = texts
  switch (command) {
    case 'f':
      return `${group(first)}/${group(second)}`
    case 'r':
      return second
        ? `${first === '2' ? '' : formatScript(first, 'sup')}√${group(second)}`
        : `√${group(first)}`
    case 's':
      return formatScript(texts.join(' '), /\\do/i.test(options) ? 'sub' : 'sup')
    case 'o': {
      const reading = equations.find(({ raised }) => /\p{L}/u.test(raised ?? ''))
      const base = equations
        .filter((equation) => equation !== reading && !SHAPES.test(equation.text.trim()))
        .map(({ text }) => text)
        .join('')
      return texts.some((text) => CIRCLES.test(text.trim()))
        ? toCircled(base)
        : formatPhonetic(base, reading?.raised ?? '')
    }
    case 'i':
      return `∫${formatScript(first, 'sub')}${formatScript(second, 'sup')}${texts[2] ?? ''}`
    case 'b': {
      const [, left = '('] = /\\[lb]c\s*\\?(\S)/i.exec(options) ?? []
      const [, right = CLOSING[left] ?? left] = /\\rc\s*\\?(\S)/i.exec(options) ?? []
      return `${left}${texts.join(',')}${right}`
    }
    case 'a':
    case 'l':
      return texts.join(', ')
    default:
      return texts.join('')
  }
}

const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}', '<': '>' }
const group = (text: string): string => (/^[\p{L}\p{N}.]*$/u.test(text) ? text : `(${text})`)

/** Returns the character in a circle where Unicode has it: 一 as ㊀, 1 as ①. */
function toCircled(text: string): string {
  const trimmed = text.trim()
  if (/^\d{1,2}$/.test(trimmed)) return formatNumber(Number(trimmed), 'decimalEnclosedCircle')
  return CIRCLED.get(trimmed) ?? trimmed
}

/** Ideographs in circles, U+3280 to U+32B0, and Latin letters, by what they are of. */
const CIRCLED = new Map(
  [
    [0x3280, 0x32b0],
    [0x24b6, 0x24e9],
  ].flatMap(([first = 0, last = 0]) =>
    Array.from({ length: last - first + 1 }, (_, at) => {
      const character = String.fromCodePoint(first + at)
      return [character.normalize('NFKC'), character] as const
    }),
  ),
)

/** Finds the bracket that closes the one at `open`; a bracket behind a backslash is text. */
function findEnd(source: string, open: number): number {
  let depth = 0
  for (let at = open; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === '(') depth++
    else if (source[at] === ')' && --depth === 0) return at
  }
  return source.length
}

/** Splits arguments at the commas or semicolons between them. */
function splitArguments(source: string): string[] {
  const parts = ['']
  let depth = 0
  for (let at = 0; at < source.length; at++) {
    const character = source[at]!
    const isEscaped = character === '\\' && /[,;()\\]/.test(source[at + 1] ?? '')
    const raw = isEscaped ? character + source[++at]! : character
    if (raw === '(') depth++
    else if (raw === ')') depth--
    if (depth === 0 && /^[,;]$/.test(raw)) parts.push('')
    else parts[parts.length - 1] += raw
  }
  return parts
}
