import { spawn } from 'node:child_process'
import { styleText } from 'node:util'
import { runProcess } from './run.ts'

// `node scripts/flaky.ts <words>` runs the test files whose path contains one of the words ten times, while two loops keep the
// processors busy. A test that fails in only one of ten runs depends on the machine, not on the code.

const RUNS = 10
const BUSY_LOOPS = 2

const words = process.argv.slice(2)
if (words.length === 0) {
  console.error('Name the test files: node scripts/flaky.ts <part of a path> …')
  process.exit(1)
}

const loops = Array.from({ length: BUSY_LOOPS }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
)
process.once('exit', () => {
  for (const loop of loops) loop.kill('SIGKILL')
})

const failures = new Map<string, number>()
let failed = 0
for (let run = 1; run <= RUNS; run++) {
  const { code, output } = await runProcess('npm', ['test', '--silent', '--', ...words], { output: 'quiet' })
  const lines = output.trimEnd().split('\n')
  console.log(`${run}/${RUNS}: ${lines.at(-1)}`)
  if (code === 0) continue
  failed++
  for (const line of lines.filter((one) => one.startsWith('✗ ')))
    failures.set(line, (failures.get(line) ?? 0) + 1)
  // The first failure of each kind is enough to read.
  if (failed === 1) console.log(styleText('dim', output))
}
for (const [name, count] of failures) console.log(`${name}: ${count} of ${RUNS}`)
console.log(`${RUNS - failed} of ${RUNS} runs passed`)
process.exit(failed === 0 ? 0 : 1)
