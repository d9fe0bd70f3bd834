import { globSync, readFileSync } from 'node:fs'
import { runProcess } from './run.ts'

const LINT = 'oxlint --config oxlint.json --type-aware --type-check --deny-warnings'.split(' ')

const { include: WEB } = JSON.parse(readFileSync('tsconfig.web.json', 'utf8')) as { include: string[] }

const checks = {
  // Types and rules, some of which read types: one run for each tsconfig, since a run checks one after the other, and each on a
  // single processor (`checkers` in tsconfig.json).
  'types and lint of the server': [...LINT, ...WEB.flatMap((path) => ['--ignore-pattern', path])],
  'types and lint of the web': [...LINT, ...globSync(WEB)],
  format: ['oxfmt', '--check'],
  'dependencies and exports': ['knip', '--no-progress'],
}

/** A fifth less CPU time for types, which are read by a program in Go. */
const FEWER_COLLECTIONS = { ...process.env, GOGC: '300' }

export type Tally = { passed: number; failed: number }

/** Runs all checks at the same time. Prints one line for each, and the whole output of a failing one. */
export async function runChecks(): Promise<Tally> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, [command = '', ...args]]) => {
      const { code, output } = await runProcess(command, args, { output: 'quiet', env: FEWER_COLLECTIONS })
      console.log(code === 0 ? `✓ ${name}` : `✗ ${name}\n${output}`)
      return code === 0
    }),
  )
  const passed = results.filter(Boolean).length
  return { passed, failed: results.length - passed }
}
