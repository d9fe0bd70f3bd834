import { runProcess } from './run.ts'

const checks = {
  // Types of the server and of the web, each by its own tsconfig, and the rules, some of which read types: one run for both.
  'types and lint': 'oxlint --config oxlint.json --type-aware --type-check --deny-warnings'.split(' '),
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
