import { defineConfig } from 'vitest/config'

const WITHOUT_DATABASE = [
  'test/architecture/architecture.test.ts',
  'test/{architecture,scripts,llm}/**/*.test.ts',
]
const FAULTS = ['test/faults/**/*.test.ts']
/** Modules are loaded once for all files, and databases copied: both take seconds where they are made anew. */
const SERVERS = { globalSetup: 'test/world/template.ts', isolate: false }

/** Where a test lies says what it needs; scripts/test.ts runs `server` on each database. */
export default defineConfig({
  test: {
    silent: 'passed-only',
    // Limits that only end what has failed: a busy machine must not reach them.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Also on two cores: half of a test's time is waiting.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: [...WITHOUT_DATABASE, 'src/{web,contract}/**/*.test.{ts,tsx}'] },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['test/**/*.test.ts'],
          exclude: [...WITHOUT_DATABASE, ...FAULTS],
          ...SERVERS,
        },
      },
      {
        // A browser per file on top of a server per file is as much as a small machine carries.
        extends: true,
        test: {
          name: 'journeys',
          include: ['test/journeys/**/*.journey.ts'],
          fileParallelism: false,
          testTimeout: 240_000,
          sequence: { groupOrder: 1 },
          ...SERVERS,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: FAULTS,
          fileParallelism: false,
          testTimeout: 300_000,
        },
      },
    ],
  },
})
