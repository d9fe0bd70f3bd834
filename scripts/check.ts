import { runChecks } from './checks.ts'
import { runVitest } from './vitest.ts'

// `npm run check`: what can be said in seconds, without a database or a browser.
const [checks, architecture] = await Promise.all([
  runChecks(),
  runVitest(['unit'], ['test/architecture'], process.env),
])
if (architecture.failed === 0) console.log('✓ architecture')
process.exit(checks.failed + architecture.failed === 0 ? 0 : 1)
