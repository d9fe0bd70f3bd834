// Other projects' tests as judges of our readers: node bench/assertions.ts [--peers folder] [--only markitdown,readability] [--misses]
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { READABILITY, scoreArticles } from './assertions/articles.ts'
import { findClone } from './assertions/clone.ts'
import { judge } from './assertions/judge.ts'
import { PROJECTS } from './assertions/projects.ts'

const { values } = parseArgs({
  options: {
    peers: { type: 'string', default: join(homedir(), '.cache/wenqu/reader-tests') },
    only: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
})
mkdirSync(values.peers, { recursive: true })
const only = values.only?.split(',')
const formatShare = (kept: number, all: number): string => `${((100 * kept) / Math.max(1, all)).toFixed(1)} %`
/** An article above it has the words that Readability's own tests expect. */
const MIN_F1 = 0.98
const sum = { assertions: 0, kept: 0 }

for (const project of PROJECTS.filter(({ name }) => only?.includes(name) ?? true)) {
  const clone = findClone(project, values.peers)
  const { name, files, assertions, kept, misses, excluded } = await judge(project, clone)
  sum.assertions += assertions
  sum.kept += kept
  console.log(
    `${name.padEnd(13)} ${String(files).padStart(3)} files  ${kept} of ${assertions} kept  ${formatShare(kept, assertions)}`,
  )
  for (const [reason, count] of excluded) console.log(`  ${count} left out: ${reason}`)
  if (!values.misses) continue
  for (const { file, text, isAbsent, isCell, error } of misses)
    console.log(
      `  ${relative(clone, file)}: ${isAbsent ? 'not wanted ' : ''}${isCell ? 'cell ' : ''}${JSON.stringify(text)}${error ? ` (${error})` : ''}`,
    )
}
if (sum.assertions)
  console.log(`all           ${sum.kept} of ${sum.assertions} kept  ${formatShare(sum.kept, sum.assertions)}`)

if (only?.includes(READABILITY.name) ?? true) {
  const scores = await scoreArticles(findClone(READABILITY, values.peers))
  const low = scores.filter(({ f1 }) => f1 < MIN_F1)
  console.log(
    `articles      ${scores.length - low.length} of ${scores.length} pages with F1 of words ≥ ${MIN_F1}`,
  )
  for (const { page, f1, missing, added } of values.misses ? low : [])
    console.log(
      `  ${page}: ${f1.toFixed(3)}, missing ${missing.slice(0, 20).join(' ')}, added ${added.slice(0, 20).join(' ')}`,
    )
}
