import { availableParallelism } from 'node:os'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { CHROMIUM_ARGS } from './test/world/chromium.ts'
import { IN_A_BROWSER, WITHOUT_DATABASE } from './test/world/needs.ts'

const postgres = process.env.DATABASE_URL ?? ''

const FAULTS = ['test/faults/**/*.test.ts']
/** Run before each file of Node's: tells what it takes of the processors, and ends what it put in place of globals. */
const IN_NODE = { setupFiles: ['test/world/cpu-time.ts', 'test/world/real-globals.ts'] }
/** Modules are loaded once for all files, and databases copied: both take seconds where they are made anew. */
const WITH_DATABASE = { isolate: false, ...IN_NODE }
const TEMPLATE = 'test/world/template.ts'
const EMBEDDED_TEMPLATES = ['test/world/empty-template.ts', TEMPLATE]
const TEMPLATES = postgres ? [TEMPLATE] : EMBEDDED_TEMPLATES

/** What the embedded database can change by itself: statements, transactions and the one connection. */
const ON_EMBEDDED = [
  'test/ledger/*.test.ts',
  'test/runs/{lost-answers,other-process,recovery,runs}.test.ts',
  'test/account/account.test.ts',
  'test/auth/sign-in.test.ts',
  'test/compare/votes.test.ts',
  'test/conversations/search.test.ts',
  'test/core/features.test.ts',
  'test/credit/low-balance.test.ts',
  'test/gateway/calls.test.ts',
  'test/keys/usage.test.ts',
  'test/notifications/messages.test.ts',
  'test/organizations/sharing.test.ts',
  'test/statistics/rollups.test.ts',
  'test/tasks/queue.test.ts',
  'test/translate/glossary.test.ts',
  'test/users/chat-setting.test.ts',
]
/** Of two transactions at a time, which the embedded database never has. */
const POSTGRES_ALONE = ['test/{blocks,tasks}/deleting.test.ts']

/**
 * Where a test lies says what it needs. All projects share one pool and begin in the order of their names, the larger
 * files first: short tests fill the end of a run. DATABASE_URL names a PostgreSQL, on which the tests run then, and some of
 * them on the embedded database as well; without it all of them run on that one.
 */
export default defineConfig({
  test: {
    silent: 'passed-only',
    // Limits that only end what has failed: a busy machine must not reach them.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 45_000 } },
    // One more than can compute at a time, since some wait. With two more two cores are never idle, and 4 % later (757 s, 790 s).
    maxWorkers: availableParallelism() + 1,
    // Processes of the app, of which the tests start a hundred, need not compile it anew.
    env: { DATABASE_URL: postgres, NODE_COMPILE_CACHE: `${import.meta.dirname}/node_modules/.compile-cache` },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          ...IN_NODE,
          include: [WITHOUT_DATABASE, 'src/{web,contract}/**/*.test.{ts,tsx}'],
          exclude: [IN_A_BROWSER],
          env: { DATABASE_URL: '' },
        },
      },
      {
        extends: true,
        plugins: [react(), tailwindcss()],
        test: {
          name: 'components',
          include: [IN_A_BROWSER],
          isolate: false,
          setupFiles: ['test/world/empty-page.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            viewport: { width: 1280, height: 820 },
            provider: playwright({
              launchOptions: { executablePath: process.env.CHROMIUM_PATH, args: CHROMIUM_ARGS },
              contextOptions: { locale: 'zh-CN', reducedMotion: 'reduce' },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          ...WITH_DATABASE,
          globalSetup: TEMPLATES,
          include: ['test/**/*.test.ts', 'src/server/**/*.test.ts'],
          exclude: [WITHOUT_DATABASE, ...FAULTS, ...(postgres ? [] : POSTGRES_ALONE)],
        },
      },
      ...(postgres
        ? [
            {
              extends: true as const,
              test: {
                name: 'embedded',
                ...WITH_DATABASE,
                globalSetup: EMBEDDED_TEMPLATES,
                include: ON_EMBEDDED,
                env: { DATABASE_URL: '' },
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
          // Of a page that was late once; what fails twice has failed.
          retry: process.env.CI ? 1 : 0,
          ...WITH_DATABASE,
          globalSetup: TEMPLATES,
        },
      },
      {
        // Each makes databases of both kinds by itself.
        extends: true,
        test: {
          name: 'faults',
          include: FAULTS,
          testTimeout: 300_000,
          ...WITH_DATABASE,
          globalSetup: EMBEDDED_TEMPLATES,
        },
      },
    ],
  },
})
