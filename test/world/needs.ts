import { matchesGlob } from 'node:path'

/** Folders of tests that need no database. */
export const FOLDERS_WITHOUT_DATABASE = [
  'architecture',
  'scripts',
  'llm',
  'formats',
  'world',
  'translate/engine',
]
/** Tests without a database: see vitest.config.ts. */
export const WITHOUT_DATABASE = `test/{${FOLDERS_WITHOUT_DATABASE.join()}}/**/*.test.ts`
/** Components by themselves, where looks, focus or keys matter. */
export const IN_A_BROWSER = 'src/web/**/*.browser.test.tsx'
/** Tests that open a page of Chromium, also those of commands that do, and those of answers shown to be harmless in it. */
const WITH_CHROMIUM = [
  IN_A_BROWSER,
  'test/journeys/**/*.journey.ts',
  'test/commands/*.test.ts',
  'src/web/markdown/{markdownView,renderBlock}.test.ts',
]

/** Tells whether a test file needs a Chromium. */
export const needsChromium = (path: string): boolean => WITH_CHROMIUM.some((glob) => matchesGlob(path, glob))

/** Tells whether a test file needs a database. */
export const needsDatabase = (path: string): boolean =>
  !matchesGlob(path, WITHOUT_DATABASE) && !/^src\/(web|contract)\//.test(path)
