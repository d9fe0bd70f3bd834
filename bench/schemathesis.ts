import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createCaller } from '#test/gateway/caller.ts'
import { startWorld } from '#test/world/world.ts'

// Puts every call of /api/openapi.json under requests that Schemathesis (PyPI, needs Python 3) generates from it, valid and
// broken ones: there must be no 5xx, and no answer outside the document. `node bench/schemathesis.ts [examples an operation]`.

const VERSION = '4.32.5'
const CHECKS =
  'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance'
const examples = process.argv[2] ?? '30'

const folder = join(homedir(), '.cache', 'wenqu-clients', `schemathesis-${VERSION}`)
const program = join(folder, 'bin', 'st')
if (!existsSync(program)) {
  execFileSync('python3', ['-m', 'venv', folder])
  execFileSync(join(folder, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${VERSION}`])
}

const world = await startWorld({ env: { SIGNUP_COINS: '1000000' } })
const { user, authorization } = await createCaller(world, { credit_limit: 1_000_000 })

/** Runs the calls that `filters` pick; returns true when nothing was found. */
async function run(filters: string[], headers: string[], checks: string): Promise<boolean> {
  const options = [
    '--origin',
    world.url,
    '--phases',
    'examples,coverage,fuzzing',
    '--checks',
    checks,
    '--max-examples',
    examples,
    '--seed',
    '1',
    // Its generator of 4.32.5 breaks at times in two threads (KeyError while it reads its own source).
    '--workers',
    '1',
    '--continue-on-failure',
    '--suppress-health-check',
    'all',
    '--warnings',
    'off',
  ]
  const sent = headers.flatMap((header) => ['--header', header])
  const args = ['run', `${world.url}/api/openapi.json`, ...options, ...filters, ...sent]
  const [code] = (await once(spawn(program, args, { stdio: 'inherit', cwd: folder }), 'exit')) as [
    number | null,
  ]
  return code === 0
}

try {
  const GATEWAY = '^/api/v[0-9]/'
  const asProgram = [`Authorization: ${authorization}`]
  const asBrowser = [`Cookie: ${user.cookie}`, 'X-Requested-With: XMLHttpRequest']
  const allChecks = `${CHECKS},unsupported_method`
  const found = [
    await run(['--include-path-regex', GATEWAY], asProgram, allChecks),
    await run(['--include-path-regex', '^/api/', '--exclude-path-regex', GATEWAY], asBrowser, allChecks),
    // Beside these there are pages. After signing out, no further call is possible.
    await run(['--exclude-path-regex', '^/api/|/logout$'], asBrowser, CHECKS),
  ]
  process.exitCode = found.every(Boolean) ? 0 : 1
} finally {
  await world.close()
}
