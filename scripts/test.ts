import { Client } from 'pg'
import { runChecks, type Tally } from './checks.ts'
import { provideChromium } from './chromium.ts'
import { runVitest, type Project } from './vitest.ts'

// `npm test`: everything. `npm test -- <part of a path>`: the tests of those files only. All run on the embedded
// database, and those of the server again on DATABASE_URL's; the fault tests make their databases, of both kinds, by
// themselves.

const filters = process.argv.slice(2)
const tallies: Tally[] = []
const projects: Project[] = ['unit', 'server', 'faults']
const { DATABASE_URL: postgres, ...env } = process.env

const unreachable = postgres && (await reasonUnreachable(postgres))
if (unreachable) {
  console.error(`✗ DATABASE_URL is set, but the database cannot be reached: ${unreachable}`)
  tallies.push({ passed: 0, failed: 1 })
} else if (postgres) {
  env.DATABASE_URL = postgres
  projects.push('embedded')
} else console.log('Tests run on the embedded database only: DATABASE_URL is not set.')

if (!filters.length || filters.some((filter) => filter.includes('journey'))) {
  env.CHROMIUM_PATH = await provideChromium()
  if (env.CHROMIUM_PATH) projects.push('journeys', 'components')
  else tallies.push({ passed: 0, failed: 1 })
}

const checks = filters.length ? [] : [runChecks()]
tallies.push(...(await Promise.all([...checks, runVitest(projects, filters, env)])))

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
