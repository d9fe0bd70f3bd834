import { startVitest, type TestModule } from 'vitest/node'
import type { Tally } from './checks.ts'

export type Project = 'unit' | 'components' | 'server' | 'embedded' | 'journeys' | 'faults'

export type TestRun = Tally & {
  /** Tests that failed first and passed at the second try, with the error of the first. */
  flaky: { name: string; error: string }[]
  failures: string[]
  /** CPU time of each file, ms, the highest first. */
  files: { name: string; cpu_ms: number }[]
}

/** Runs Vitest over some projects and prints failing tests only. `filters` are parts of file paths. */
export async function runVitest(projects: readonly Project[], filters: string[]): Promise<TestRun> {
  const vitest = await startVitest(filters, {
    run: true,
    watch: false,
    passWithNoTests: true,
    reporters: ['minimal'],
    project: [...projects],
  })
  await vitest.close()
  return summarize(vitest.state.getTestModules(), vitest.state.getUnhandledErrors().length)
}

/** Counts a file that failed outside its tests (a failed import or hook), and each error outside of files, as a failure. */
export function summarize(modules: readonly TestModule[], unhandledErrors: number): TestRun {
  const tests = modules.flatMap((module) => [...module.children.allTests()].map((test) => ({ module, test })))
  const name = (module: TestModule): string => `${module.project.name} ${module.relativeModuleId}`
  const nameTest = ({ module, test }: (typeof tests)[number]): string => `${name(module)}: ${test.fullName}`
  const failures = [
    ...tests.filter(({ test }) => test.result().state === 'failed').map(nameTest),
    ...modules
      .filter((module) => module.state() === 'failed' && module.children.allTests('failed').next().done)
      .map(name),
    ...Array.from({ length: unhandledErrors }, () => 'an error outside of all tests'),
  ]
  return {
    passed: tests.filter(({ test }) => test.result().state === 'passed').length,
    failed: failures.length,
    failures,
    flaky: tests
      .filter(({ test }) => test.diagnostic()?.flaky)
      .map((one) => ({ name: nameTest(one), error: one.test.result().errors?.[0]?.message ?? '' })),
    files: modules
      .map((module) => ({ name: name(module), cpu_ms: module.meta().cpu_ms ?? 0 }))
      .sort((a, b) => b.cpu_ms - a.cpu_ms),
  }
}
