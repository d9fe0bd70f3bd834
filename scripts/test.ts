import { globSync } from 'node:fs'
import { needsChromium, needsDatabase } from '../test/world/needs.ts'
import { findTestsOf, listChangedFiles } from './changed.ts'
import { runChecks } from './checks.ts'
import { provideChromium } from './chromium.ts'
import type { Provided } from './debian-packages.ts'
import { providePostgres } from './postgres.ts'
import { provideTemporaryFolder } from './temporary-folder.ts'
import { runVitest, type Project } from './vitest.ts'

// `npm test` runs everything, `npm test -- <words>` the test files whose path contains one of the words, `npm test -- changed`
// the files that the changes can reach. At the end it names tests that could not run here, tests that passed only at the second
// try, the files that took most time, and "N passed, N failed".

const DEAREST = 10

const words = process.argv.slice(2)
const chosen = words[0] === 'changed' ? findTestsOf(listChangedFiles()) : words.length ? words : 'all'
const paths = globSync(['test/**/*.{test,journey}.ts', 'src/**/*.test.{ts,tsx}']).filter(
  (path) => chosen === 'all' || chosen.some((word) => path.includes(word)),
)
if (paths.length === 0) {
  console.error(`No test file's path contains ${words.join(' or ')}.`)
  process.exit(1)
}
if (words[0] === 'changed') console.log(`${paths.length} test files can be reached by what was changed.`)

provideTemporaryFolder()
const projects = new Set<Project>(['unit'])
const missing: string[] = []

if (paths.some(needsChromium))
  provide(await provideChromium(), 'what opens a page of a browser', (path) => {
    process.env.CHROMIUM_PATH = path
    projects.add('journeys').add('components')
  })
if (paths.some(needsDatabase)) {
  projects.add('server').add('faults')
  provide(
    await providePostgres(),
    'all that PostgreSQL does by itself: everything ran on the embedded database',
    (url) => {
      process.env.DATABASE_URL = url
      projects.add('embedded')
    },
  )
}

const runnable = projects.has('journeys') ? paths : paths.filter((path) => !needsChromium(path))
const [checks, tests] = await Promise.all([
  words.length ? { passed: 0, failed: 0 } : runChecks(),
  runVitest([...projects], runnable.length < paths.length || chosen !== 'all' ? runnable : []),
])
// A machine without installation rights tests as much as it can; in CI that is not enough.
const unmet = process.env.CI ? missing.length : 0
const passed = checks.passed + tests.passed
const failed = checks.failed + tests.failed + unmet

for (const name of tests.failures) console.log(`✗ ${name}`)
console.log('\nThe dearest files, CPU seconds:')
for (const { name, cpu_ms } of tests.files.slice(0, DEAREST))
  console.log(`${(cpu_ms / 1000).toFixed(1).padStart(7)}  ${name}`)
for (const part of missing) console.log(`Not run here: ${part}`)
for (const { name, error } of tests.flaky) console.log(`△ ${name}: ${error}`)
const flaky = tests.flaky.map(({ name }) => name)
console.log(`flaky: ${flaky.length}${flaky.length ? ` (${flaky.join('; ')})` : ''}`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)

function provide(provided: Provided, purpose: string, onValue: (value: string) => void): void {
  if ('value' in provided) onValue(provided.value)
  else missing.push(`${purpose} (${provided.reason})`)
}
