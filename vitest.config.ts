import { defineConfig } from 'vitest/config'

const WITHOUT_DATABASE = ['test/{architecture,scripts,llm,readers,translate/{formats,engine}}/**/*.test.ts']
const FAULTS = ['test/faults/**/*.test.ts']
/** Modules are loaded once for all files, and databases copied: both take seconds where they are made anew. */
const WITH_DATABASE = { globalSetup: 'test/world/template.ts', isolate: false }
const SERVER = {
  ...WITH_DATABASE,
  include: ['test/**/*.test.ts'],
  exclude: [...WITHOUT_DATABASE, ...FAULTS],
}
const postgres = process.env.DATABASE_URL
/** How the gateway speaks to programs and platforms: nothing that another database could change. */
const SAME_ON_ANY_DATABASE = ['test/gateway/{http,protocols}/**']

/** Of two transactions at a time, which the embedded database never has. */
const POSTGRES_ALONE = ['test/{blocks,tasks}/deleting.test.ts']

/**
 * Where a test lies says what it needs. All projects share one pool and begin in the order of their names, the larger
 * files first: short tests fill the end of a run. Those of the server run on each database there is, but for those that say
 * the same on any.
 */
export default defineConfig({
  test: {
    silent: 'passed-only',
    // Limits that only end what has failed: a busy machine must not reach them.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 45_000 } },
    // Also on two cores: half of a test's time is waiting.
    maxWorkers: 4,
    // Processes of the app, of which the tests start a hundred, need not compile it anew.
    env: { DATABASE_URL: '', NODE_COMPILE_CACHE: `${import.meta.dirname}/node_modules/.compile-cache` },
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: [...WITHOUT_DATABASE, 'src/{web,contract}/**/*.test.{ts,tsx}'] },
      },
      {
        extends: true,
        test: { name: 'server', ...SERVER, exclude: [...SERVER.exclude, ...POSTGRES_ALONE] },
      },
      ...(postgres
        ? [
            {
              extends: true as const,
              test: {
                name: 'server-postgres',
                env: { DATABASE_URL: postgres },
                ...SERVER,
                exclude: [...SERVER.exclude, ...SAME_ON_ANY_DATABASE],
              },
            },
          ]
        : []),
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['test/journeys/**/*.journey.ts'],
          testTimeout: 240_000,
          ...WITH_DATABASE,
        },
      },
      {
        // Each makes databases of both kinds by itself.
        extends: true,
        test: {
          name: 'faults',
          include: FAULTS,
          testTimeout: 300_000,
          env: { DATABASE_URL: postgres ?? '' },
          globalSetup: [WITH_DATABASE.globalSetup, 'test/faults/empty-template.ts'],
        },
      },
    ],
  },
})
