import { listStrings, OPEN, takeStrings } from './literals.ts'
import type { Source } from './literals.ts'
import type { Assertion, FileIndex } from './assertion.ts'

/** Names of variables that hold what a test wants. */
const EXPECTED = /expected|target|goal|correct|strings?$|headers?$|skus?$|labels?$|texts?$/i
/** Statements about what is not there, or about errors and options. */
const NEGATIVE =
  /\bnot\s+in\b|!=|\bre\.\w+\(|is None|\bassert\s+not\b|NotIn|\bis None\b|toBeFalse|\.not\.|throws|raises|messages?\b|[sS]tyleMap/

/**
 * Lists what the tests of a program in Python want of the files that they name: the strings of each assertion, those of
 * variables that it names, and those of lists that a loop asserts one by one. `more` are programs whose constants are imported.
 */
export function listPythonAssertions(program: string, find: FileIndex, more: string[] = []): Assertion[] {
  const constants = new Map<string, string[]>()
  const sources = [...more, program].map((text) => takeStrings(text, 'python'))
  for (const source of sources)
    for (const statement of splitPython(source.code)) {
      const [, name] = /^([A-Za-z_]\w*)(?:\s*:[^=]+)?\s*=(?!=)/.exec(statement) ?? []
      if (name) constants.set(name, listStrings(source, dropKeys(statement)))
    }
  for (const source of sources)
    for (const [, name = '', body = ''] of source.code.matchAll(
      /fixture[^\n]*\ndef (\w+)\([^\n]*\n((?:[ \t]+[^\n]*\n|[\])}]+\n|\n)*)/g,
    ))
      constants.set(name, listStrings(source, dropKeys(body)))
  const source = sources.at(-1) ?? { code: '', strings: [] }
  const fields = new Map<string, string>()
  return source.code.split(/^(?=\s{0,4}(?:async )?def )/m).flatMap((block) => {
    const parameters = block.slice(0, block.indexOf(':'))
    const statements = splitPython(block.replace(/^[^\n]*\n/, ''))
    const judge = (statement: string): string[] | undefined => {
      if (!/^\s*(?:self\.)?(?:assert|validate|for\b.*\bin\b)/.test(statement)) return undefined
      const names = (statement.match(/[A-Za-z_]\w*/g) ?? []).filter((name) => constants.has(name))
      const isGlobal = (name: string): boolean => /^[A-Z]/.test(name) || parameters.includes(name)
      return names.filter(isGlobal).flatMap((name) => constants.get(name) ?? [])
    }
    return listTest({ source, statements, find, judge, fields })
  })
}

/** Lists what the tests of a program in JavaScript want of the files that they name: those tests that have `subject`. */
export function listJavascriptAssertions(program: string, find: FileIndex, subject: RegExp): Assertion[] {
  const source = takeStrings(program, 'javascript')
  return source.code
    .split(new RegExp(`^(?=\\s*(?:it|test)\\(\\s*${OPEN})`, 'm'))
    .filter((block) => subject.test(block))
    .flatMap((block) =>
      listTest({
        source,
        statements: block.split(/;|(?<=(?:=>|\))\s*)\{/),
        find,
        judge: (statement) => (/\bexpect\(|\bassert\b/.test(statement) ? [] : undefined),
      }),
    )
}

type Test = {
  source: Source
  statements: string[]
  find: FileIndex
  /** Returns the strings that a statement wants by name; nothing where it asserts nothing. */
  judge: (statement: string) => string[] | undefined
  /** Files behind fields of the class, which its `setup_class` opens. */
  fields?: Map<string, string>
}

function listTest({ source, statements, find, judge, fields = new Map() }: Test): Assertion[] {
  const findNamed = (statement: string): string | undefined =>
    listStrings(source, statement).map(find).find(Boolean) ??
    Array.from(statement.matchAll(/self\.(\w+)/g), ([, field = '']) => fields.get(field)).find(Boolean)
  let file = statements.map(findNamed).find(Boolean)
  const own = new Map<string, string[]>()
  const assertions: Assertion[] = []
  for (const statement of statements) {
    const [, field] = /^\s*self\.(\w+)\s*=\s*\w+\.open\(/.exec(statement) ?? []
    if (field && file) fields.set(field, listStrings(source, statement).map(find).find(Boolean) ?? file)
    const named = findNamed(statement)
    const [, name] = /^\s*(?:const |let |var )?([A-Za-z_]\w*)(?:\s*:[^=]+)?\s*=(?!=)/.exec(statement) ?? []
    const byName = judge(statement)
    if (!byName && name && EXPECTED.test(name) && !named)
      own.set(name, listStrings(source, dropKeys(statement)))
    if (named) file = named
    if (!byName || !file || NEGATIVE.test(statement)) continue
    const names = new Set(statement.match(/[A-Za-z_]\w*/g))
    const local = [...own].filter(([known]) => names.has(known)).flatMap(([, texts]) => texts)
    const texts = [...listStrings(source, dropKeys(dropMessage(statement))), ...local, ...byName]
    for (const text of texts) if (!find(text)) assertions.push({ file, text })
  }
  return assertions
}

/** Removes keys in square brackets and of objects, and names of keyword arguments. */
const dropKeys = (statement: string): string =>
  statement
    .replace(/(?<=[\w)\]])\[\uE000\d+\uE001\]/g, '')
    .replace(/\uE000\d+\uE001(?=\s*:)/g, '')
    .replace(
      /\b(?:getattr|hasattr|isinstance|get|split|join|replace|startsWith|strip|withContext|warns|match)\([^()]*\)/g,
      '',
    )

/** Removes the message of an assertion in Python, which follows a comma outside of all brackets. */
function dropMessage(statement: string): string {
  if (!/^\s*assert /.test(statement)) return statement
  let depth = 0
  for (let at = 0; at < statement.length; at++) {
    const character = statement[at] ?? ''
    if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character)) depth--
    else if (character === ',' && depth === 0) return statement.slice(0, at)
  }
  return statement
}

/** Splits a program in Python without strings into statements: lines, joined within brackets. */
function splitPython(code: string): string[] {
  const statements: string[] = []
  let depth = 0
  for (const line of code.split('\n')) {
    if (depth > 0) statements[statements.length - 1] += `\n${line}`
    else statements.push(line)
    for (const character of line) {
      if ('([{'.includes(character)) depth++
      else if (')]}'.includes(character)) depth = Math.max(0, depth - 1)
    }
  }
  return statements
}
