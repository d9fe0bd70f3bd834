import { runProcess } from './run.ts'

/** What was checked before and is the same is not checked again. */
const checkTypes = (side: string): string[] =>
  `tsc -p tsconfig.${side}.json --incremental --tsBuildInfoFile node_modules/.cache/${side}.tsbuildinfo`.split(
    ' ',
  )

const checks = {
  'types of the server': checkTypes('server'),
  'types of the web': checkTypes('web'),
  lint: ['oxlint', '--config', 'oxlint.json', '--type-aware', '--deny-warnings'],
  format: ['oxfmt', '--check'],
  'dependencies and exports': ['knip', '--no-progress'],
}

export type Tally = { passed: number; failed: number }

/** Types, lint, format, and what nobody declared or uses, at the same time. Prints one line each, and the whole output of a failing one. */
export async function runChecks(): Promise<Tally> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, [command = '', ...args]]) => {
      const { code, output } = await runProcess(command, args, { output: 'quiet' })
      console.log(code === 0 ? `✓ ${name}` : `✗ ${name}\n${output}`)
      return code === 0
    }),
  )
  const passed = results.filter(Boolean).length
  return { passed, failed: results.length - passed }
}
