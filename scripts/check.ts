import { runChecks } from './checks.ts'
import { runVitest } from './vitest.ts'

// `npm run check` runs all checks that take seconds, without a database or a browser.
const [checks, architecture] = await Promise.all([runChecks(), runVitest(['unit'], ['test/architecture'])])
console.log(architecture.failed === 0 ? '✓ architecture' : `✗ ${architecture.failures.join('\n✗ ')}`)
process.exit(checks.failed + architecture.failed === 0 ? 0 : 1)
