import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> }

/** The smallest work of each command that ends by itself, and soon. */
const SMALLEST: Record<string, string[]> = {
  build: ['--help'],
  'db:generate': ['--help'],
  format: ['--check', 'scripts/run.ts'],
}
/** `npm test` runs this file, and all of `check`; the others are started by tests of their own. */
const STARTED_ELSEWHERE = ['start', 'dev', 'test', 'check', 'admin']
/** Start an app, platforms and clients, and measure them: they are not worth their time here. */
const BENCHMARKS = ['agents', 'clients', 'compare', 'gateway', 'retrieval', 'translate'].map(
  (name) => `bench:${name}`,
)

test('every command of the project prepares what it needs, and has a program', () => {
  expect(Object.keys(scripts).toSorted()).toEqual(
    [...Object.keys(SMALLEST), ...STARTED_ELSEWHERE, ...BENCHMARKS].toSorted(),
  )
  for (const command of Object.values(scripts)) {
    expect(command).toMatch(/^node scripts\/bootstrap\.mjs (start|dev|test) && /)
    for (const [program] of command.matchAll(/[\w/-]+\.m?ts/g))
      expect(existsSync(program), program).toBe(true)
  }
})

test.each(Object.entries(SMALLEST))('npm run %s', async (name, args) => {
  const child = spawn('npm', ['run', '--silent', name, '--', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  expect([code, output + errors]).toEqual([0, expect.anything()])
  // The command leaves no process behind: its group is empty.
  expect(() => process.kill(-child.pid!, 0)).toThrow('ESRCH')
})
