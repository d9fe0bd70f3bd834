/** A citation in a text, `[1]` or several sources in one pair of brackets, and the numbers that it names. */
export type Citation = { raw: string; numbers: number[] }

const MAX_NUMBERS = 20

// `[1]`, `[1, 2]`, `[1-3]`, `【1】`, `［1］`, and `[citation:1]` as some models write it; no link and no definition of one.
const number = String.raw`(?:citation:\s*)?\d{1,3}`
const group = String.raw`[[【［]\s*(${number}(?:\s*[,，、;；\-–—~～]\s*${number})*)\s*[\]】］](?![(:])`
const citation = new RegExp(group, 'y')
const someCitation = new RegExp(group, 'g')

/** A name in a program directly before brackets, perhaps with more brackets behind it: `arr[1]`, `x[1][2]`. */
const indexed = /([A-Za-z_$][\w$]*|[\w$]\)|["'`}])(?:\[[^[\]\n]{0,20}\])*$/
/** A word of an English sentence: models cite after one without a space: `Backups run daily[1].` */
const englishWord = /(?:^|\s)[A-Za-z][a-z'’]+,?\s[A-Za-z]?[a-z]{3,}(?:\[[^[\]\n]{0,20}\])*$/

/**
 * Returns the citation that begins at `at`. `before`, the text in front of it in its line, tells an index of an array from a
 * citation.
 */
export function matchCitation(text: string, at: number, before = text.slice(0, at)): Citation | undefined {
  citation.lastIndex = at
  const [raw, numberText = ''] = citation.exec(text) ?? []
  if (raw === undefined) return undefined
  const near = before.slice(-80)
  if (indexed.test(near) && !englishWord.test(near)) return undefined
  const numbers = readNumbers(numberText)
  return numbers && { raw, numbers }
}

/** Reads the numbers of `1, 3-5`; undefined for an invalid range. */
function readNumbers(numberText: string): number[] | undefined {
  const numbers: number[] = []
  for (const part of numberText.replace(/citation:|\s/g, '').split(/[,，、;；]/)) {
    const [first = 0, last = first] = part.split(/[-–—~～]/).map(Number)
    // `[0, 1]` is an interval.
    if (first < 1 || last < first || last - first >= MAX_NUMBERS) return undefined
    for (let n = first; n <= last; n++) numbers.push(n)
  }
  return numbers.length <= MAX_NUMBERS ? numbers : undefined
}

/** Code and formulas, where brackets mean something else. */
const opaque =
  /^ {0,3}(`{3,}|~{3,})[^]*?(?:^ {0,3}\1|$(?![^]))|(`+)(?!`)[^\n]*?[^`\n]\2(?!`)|\$\$[^]*?\$\$|\\\[[^]*?\\\]|\$[^$\n]+\$/gm

const blank = (text: string): string => text.replace(opaque, (raw) => raw.replace(/[^\n]/g, ' '))

/** Returns all citations of a text with their places, except those in code and formulas. */
export function findCitations(text: string): (Citation & { index: number })[] {
  const plain = blank(text)
  return [...plain.matchAll(someCitation)].flatMap(({ index }) => {
    const line = plain.slice(plain.lastIndexOf('\n', index - 1) + 1, index)
    const match = matchCitation(plain, index, line)
    return match ? [{ ...match, index }] : []
  })
}

/** Returns the text without its citations. */
export function removeCitations(text: string): string {
  let [result, at] = ['', 0]
  for (const { raw, index } of findCitations(text)) {
    result += text.slice(at, index).trimEnd()
    at = index + raw.length
  }
  return result + text.slice(at)
}
