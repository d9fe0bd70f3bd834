/** Creates a seeded source of numbers from 0 to 1 (mulberry32), so that a failing document can be made again. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

type Random = () => number
const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
/** Returns mostly small numbers, sometimes large ones. */
const count = (random: Random, max: number): number => Math.ceil(max ** random())

/** Tokens of Markdown, formulas and diagrams. */
const marks =
  '[ ] ( ) ! * ** *** _ __ ~ ~~ ` `` ``` $ $$ \\ \\( \\) \\[ \\] < > </ <!-- --> & &lt; # ## - + 1. | |-| : = == --- ' +
  '[^1] [^1]: [1] [1]: www. https://a.cn a@b.cn <b> </b> <p> <table> <td> <div> </div> <i title=1> <details> {x} 渠 水 a 1'
const pieces = [
  ...marks.split(' '),
  ' ',
  '    ',
  '\t',
  '\n',
  '\n\n',
  '> ',
  '- ',
  '- [x] ',
  '```mermaid\n',
  '\u0000',
  '\ud83d',
]
const repeated = [
  ...marks.split(' '),
  '> ',
  '- ',
  '* a **b ',
  '*a _b ',
  '[a](',
  '![',
  '[a][',
  '[[',
  '](',
  '<a href=',
  '`a``',
  '$a$ ',
  '$x',
  '\\(x',
  '|a',
  '# ',
  '<b title=1>',
  '<i title=2>x<p>',
  '<table><tr><td>',
  '<b><i><u>',
  '<!--',
  '<x ',
  '&#',
  'a\n',
  'a\n\n',
  '- a\n',
  '- a\n\n',
  '> a\nb\n',
  '> - a\nb\n',
  '|a|b|\n',
  '1. a\n',
  '[^a]: b\n',
  '[a]: b\n',
  '    a\n',
  '$$a$$\n\n',
  '\\begin{align}',
  '**渠：**水',
]
const nested: ((depth: number) => string)[] = [
  (depth) => `${'> '.repeat(depth)}a\nb`,
  (depth) => `${'- '.repeat(depth)}a\nb`,
  (depth) => Array.from({ length: Math.min(depth, 300) }, (_, i) => `${'  '.repeat(i)}- a`).join('\n'),
  (depth) => `${'['.repeat(depth)}a${'](b)'.repeat(depth)}`,
  (depth) => `${'![['.repeat(depth)}a${']](b)'.repeat(depth)}`,
  (depth) => `${'**a *b '.repeat(depth)}${'* **'.repeat(depth)}`,
  (depth) => `${'<div>'.repeat(depth)}a${'</div>'.repeat(depth)}`,
  (depth) => `${'<table><tr><td>'.repeat(depth)}a`,
  (depth) => `${'<b title=1>'.repeat(depth)}${'<p>x</p>'.repeat(depth)}`,
]
const formulas: ((depth: number) => string)[] = [
  (depth) => `${'\\frac{1}{'.repeat(depth)}x${'}'.repeat(depth)}`,
  (depth) => `${'\\frac1'.repeat(depth)}2`,
  (depth) => `${'\\frac{1}'.repeat(depth)}2`,
  (depth) => `${'\\sqrt{'.repeat(depth)}x${'}'.repeat(depth)}`,
  (depth) => `${'x^{'.repeat(depth)}x${'}'.repeat(depth)}`,
  (depth) => `${'x_{a^{'.repeat(depth)}x${'}}'.repeat(depth)}`,
  (depth) => `${'\\left('.repeat(depth)}x${'\\right)'.repeat(depth)}`,
  (depth) => `${'\\begin{matrix}a&'.repeat(depth)}x${'\\end{matrix}'.repeat(depth)}`,
  (depth) => `${'\\overbrace{'.repeat(depth)}x${'}^a'.repeat(depth)}`,
  (depth) => `${'\\boxed{\\text{'.repeat(depth)}x${'}}'.repeat(depth)}`,
  (depth) => `${'\\mathchoice{x}{'.repeat(depth)}x${'}{x}{x}'.repeat(depth)}`,
  (depth) => `${'{'.repeat(depth)}x${'}'.repeat(depth)}`,
  (depth) => `\\def\\a{${'x'.repeat(depth)}}${'\\a'.repeat(depth)}`,
  (depth) =>
    `\\def\\a{x}${Array.from({ length: 20 }, (_, i) => `\\def\\${'abcdefghijklmnopqrstu'[i + 1]}{\\${'abcdefghijklmnopqrstu'[i]}\\${'abcdefghijklmnopqrstu'[i]}}`).join('')}\\u${'x'.repeat(depth)}`,
  (depth) => `\\begin{array}{${'c'.repeat(depth)}}${'a&'.repeat(depth)}a\\end{array}`,
  (depth) => `\\begin{aligned}${'a&=b\\\\'.repeat(depth)}\\end{aligned}`,
  (depth) => '\\hat'.repeat(depth) + ' x',
  (depth) => `x${"'".repeat(depth)}`,
  (depth) => '\\rule{999em}{999em}'.repeat(depth),
  (depth) => `${'\\color{red}{'.repeat(depth)}x${'}'.repeat(depth)}`,
]
const diagrams: ((size: number) => string)[] = [
  (size) => `graph TD\n${Array.from({ length: size }, (_, i) => `a${i}-->a${i + 1}`).join('\n')}`,
  (size) => `graph LR\n${Array.from({ length: size }, (_, i) => `a${i % 9}-->a${(i * 7) % 11}`).join('\n')}`,
  (size) =>
    `graph TD\n${Array.from({ length: size }, (_, i) => `subgraph s${i}\n`).join('')}a\n${'end\n'.repeat(size)}`,
  (size) => `sequenceDiagram\n${'A->>B: 问\n'.repeat(size)}`,
  (size) => `pie\n${Array.from({ length: size }, (_, i) => `"p${i}": ${i + 1}`).join('\n')}`,
  (size) => `stateDiagram-v2\n${Array.from({ length: size }, (_, i) => `s${i} --> s${i + 1}`).join('\n')}`,
  (size) => `mindmap\n  root\n${Array.from({ length: size }, (_, i) => `    n${i}`).join('\n')}`,
  (size) => `gantt\n${Array.from({ length: size }, (_, i) => `t${i} :a${i}, 2026-01-01, 3d`).join('\n')}`,
  (size) => `graph TD\na["${'x'.repeat(size)}"]`,
  (size) => '[('.repeat(size),
]

const inDollars = (random: Random, tex: string) => (random() < 0.5 ? `$${tex}$` : `$$\n${tex}\n$$`)

/** Generates a document meant to break its reader: one kind of syntax, many times or deep, or all kinds in a heap. */
export function generateDocument(random: Random): string {
  const kind = random()
  if (kind < 0.25) return pick(random, repeated).repeat(count(random, 60_000)).slice(0, 60_000)
  if (kind < 0.4) return pick(random, nested)(count(random, 4000)).slice(0, 60_000)
  if (kind < 0.6) return inDollars(random, pick(random, formulas)(count(random, 600)))
  if (kind < 0.62) return `\`\`\`mermaid\n${pick(random, diagrams)(count(random, 500))}\n\`\`\``
  if (kind < 0.7) {
    const formula = inDollars(random, pick(random, formulas)(count(random, 12)))
    return `${formula} `.repeat(count(random, 1000)).slice(0, 60_000)
  }
  return Array.from({ length: count(random, 3000) }, () => pick(random, pieces)).join(
    random() < 0.3 ? ' ' : '',
  )
}
