import { defineConfig } from 'vitest/config'

const HOUSE = ['test/architecture.test.ts', 'test/{architecture,scripts}/**/*.test.ts']
const FAULTS = ['test/faults/**/*.test.ts']

/** Where a test lies says what it needs; scripts/test.ts runs `server` on each database. */
export default defineConfig({
  test: {
    silent: 'passed-only',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: [...HOUSE, 'src/{web,contract}/**/*.test.{ts,tsx}'] },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['src/server/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...HOUSE, ...FAULTS],
        },
      },
      {
        // A browser per file on top of a server per file is as much as a small machine carries.
        extends: true,
        test: {
          name: 'journeys',
          include: ['test/journeys/**/*.journey.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          sequence: { groupOrder: 1 },
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
