/** Source of a program with its strings taken out. */
export type Source = {
  /** The program without comments; each string is `OPEN`, its number in `strings`, `CLOSE`. */
  code: string
  strings: string[]
}

// Characters for private use, which no program has.
export const OPEN = '\uE000'
export const CLOSE = '\uE001'

/** A string in `Source.code`; its first group is the number. */
export const STRING = new RegExp(`${OPEN}(\\d+)${CLOSE}`, 'g')

/** Returns the strings of a part of `code`, in order. */
export const listStrings = ({ strings }: Source, code: string): string[] =>
  Array.from(code.matchAll(STRING), ([, number]) => strings[Number(number)] ?? '')

const PYTHON = /(#[^\n]*)|(?<!\w)([a-z]{0,2})("""|'''|"|')/giy
const JAVASCRIPT =
  /(\/\/[^\n]*|\/\*[\s\S]*?\*\/|(?<=[(,=:[!&|?{};]\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\n\\])+\/\w*)|()("|'|`)/y

/**
 * Takes the strings out of a test written in Python or JavaScript. Those that are joined, side by side or by a plus, become one.
 * Strings with values in them, and bytes, are left out: their text is not known.
 */
export function takeStrings(program: string, language: 'python' | 'javascript'): Source {
  const token = language === 'python' ? PYTHON : JAVASCRIPT
  const strings: string[] = []
  let code = ''
  for (let at = 0; at < program.length;) {
    token.lastIndex = at
    const found = token.exec(program)
    if (!found) {
      code += program[at++] ?? ''
      continue
    }
    const [whole, comment, prefix = '', quote = ''] = found
    at += whole.length
    if (comment !== undefined) continue
    const isRaw = /r/i.test(prefix)
    const start = at
    while (at < program.length && !program.startsWith(quote, at)) at += program[at] === '\\' ? 2 : 1
    const text = program.slice(start, at)
    at += quote.length
    const hasValues = /f/i.test(prefix) ? /\{/.test(text) : quote === '`' && text.includes('${')
    if (hasValues || /b/i.test(prefix)) code += 'null'
    else code += `${OPEN}${strings.push(isRaw ? text : unescape(text)) - 1}${CLOSE}`
  }
  return { code: join(code, strings), strings }
}

/** Joins strings that stand side by side into the first of them. */
function join(code: string, strings: string[]): string {
  const neighbour = new RegExp(`${OPEN}(\\d+)${CLOSE}(\\s*\\+\\s*|\\s+)${OPEN}(\\d+)${CLOSE}`)
  let joined = code
  for (let found = neighbour.exec(joined); found; found = neighbour.exec(joined)) {
    const [whole, first = '', , second = ''] = found
    strings[Number(first)] += strings[Number(second)] ?? ''
    joined = `${joined.slice(0, found.index)}${OPEN}${first}${CLOSE}${joined.slice(found.index + whole.length)}`
  }
  return joined
}

const ESCAPES: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  f: '\f',
  b: '\b',
  v: '\v',
  0: '\0',
  '\n': '',
}

const unescape = (text: string): string =>
  text.replace(
    /\\(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]+)\}|U([\da-f]{8})|([\s\S]))/gi,
    (_, ...[x, u, braces, long, one]: string[]) => {
      const code = x ?? u ?? braces ?? long
      return code ? String.fromCodePoint(Number.parseInt(code, 16)) : (ESCAPES[one ?? ''] ?? one ?? '')
    },
  )
