import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Tally } from './checks.ts'
import { runProcess } from './run.ts'

export type Project = 'unit' | 'components' | 'server' | 'embedded' | 'journeys' | 'faults'

/** The part of Vitest's JSON report that is counted. */
type Report = {
  numPassedTests: number
  numFailedTests: number
  testResults: { status: string; assertionResults: { status: string }[] }[]
}

/** Runs Vitest over some projects, printing failing tests only. `filters` are parts of file paths. */
export async function runVitest(
  projects: readonly Project[],
  filters: string[],
  env: NodeJS.ProcessEnv,
): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'wenqu-tests-'))
  // At exit, because a signal ends this process in the middle of the tests.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'report.json')
  const args = [
    'run',
    '--passWithNoTests',
    '--reporter=minimal',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]
  const picked = projects.map((project) => `--project=${project}`)
  const { code } = await runProcess('vitest', [...args, ...picked, ...filters], { output: 'shown', env })
  return tally(code, existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null)
}

/**
 * Counts a file that failed outside its tests (it did not load, a hook threw) as one failure, and so a run that failed
 * without saying where.
 */
export function tally(code: number, report: Report | null): Tally {
  if (!report) return { passed: 0, failed: code === 0 ? 0 : 1 }
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length
  const failed = report.numFailedTests + brokenFiles
  return { passed: report.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed }
}
