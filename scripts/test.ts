import { Client } from 'pg'
import { runChecks, type Tally } from './checks.ts'
import { provideChromium } from './chromium.ts'
import { runVitest, type Project } from './vitest.ts'

// `npm test`: everything, in the order in which a failure is cheapest to read. `npm test -- <part of a path>`: the
// tests of those files only. Tests run on the embedded database, and those of the server again on DATABASE_URL's. The
// fault tests come last and once: each makes its databases, of both kinds, by itself.

const filters = process.argv.slice(2)
const tallies: Tally[] = []
const { DATABASE_URL: postgres, ...env } = process.env

if (!filters.length) tallies.push(await runChecks())

const wantsBrowser = !filters.length || filters.some((filter) => filter.includes('journey'))
const chromium = wantsBrowser ? await provideChromium() : undefined
if (wantsBrowser && !chromium) tallies.push({ passed: 0, failed: 1 })

const browserTests: Project[] = chromium ? ['journeys'] : []
console.log(
  postgres ? 'Tests, embedded database:' : 'Tests, embedded database only (DATABASE_URL is not set):',
)
const withBrowser = { ...env, ...(chromium && { CHROMIUM_PATH: chromium }) }
tallies.push(await runVitest(['unit', 'server', ...browserTests], filters, withBrowser))

const unreachable = postgres && (await reasonUnreachable(postgres))
if (unreachable) {
  console.error(`✗ DATABASE_URL is set, but the database cannot be reached: ${unreachable}`)
  tallies.push({ passed: 0, failed: 1 })
} else if (postgres) {
  console.log('Tests, PostgreSQL:')
  tallies.push(await runVitest(['server'], filters, process.env))
}

console.log('Fault tests:')
tallies.push(await runVitest(['faults'], filters, unreachable ? env : process.env))

const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0)
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0)
if (passed + failed === 0) console.error(`No test file's path contains ${filters.join(' or ')}.`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)

/** Why PostgreSQL does not answer, or undefined when it does. */
async function reasonUnreachable(connectionString: string): Promise<string | undefined> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5000 })
  try {
    await client.connect()
    await client.query('select 1')
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await client.end().catch(() => undefined)
  }
}
